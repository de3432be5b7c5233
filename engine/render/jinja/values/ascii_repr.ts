/** `ascii(value)`: its `repr` with everything beyond ASCII escaped. */
import { repr } from "./repr.ts";
import { escapeCode } from "./string_repr.ts";
import type { PyValue } from "./value.ts";

/** What `repr` gives, in ASCII. */
export function asciiRepr(value: PyValue): string {
  return repr(value).replace(/[^\0-\x7f]/gu, (char) => escapeCode(char.codePointAt(0) ?? 0));
}
