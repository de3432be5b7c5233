/**
 * `str` and `repr`: what Python prints for a value. Lists, tuples and dicts are written with `repr` inside; one that
 * holds itself is cut short as Python does it, and the text never grows past the limit of a string.
 */
import { runtimeError } from "./error.ts";
import { checkStringLength } from "./limits.ts";
import { stringRepr } from "./string_repr.ts";
import type { PyValue, WriteNested } from "./value.ts";

/** What Python prints for a value. Throws `PyError` for an undefined value that is strict. */
export function str(value: PyValue): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  if (typeof value === "object" && value !== null && "toStr" in value) return value.toStr(writer());
  return repr(value);
}

/** What Python prints for a value inside of a list. */
export function repr(value: PyValue): string {
  return typeof value === "object" && value !== null ? writer()(value) : scalarRepr(value);
}

function scalarRepr(value: null | boolean | string | number | bigint): string {
  if (typeof value === "string") return stringRepr(value);
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  return typeof value === "number" ? String(value) : bigRepr(value);
}

/** Python refuses to write integers with more digits than these. */
const MOST_DIGITS = 4300;

function bigRepr(value: bigint): string {
  const text = value.toString();
  if (text.length - (value < 0n ? 1 : 0) <= MOST_DIGITS) return text;
  throw runtimeError(`Exceeds the limit (${MOST_DIGITS} digits) for integer string conversion`);
}

/** Writes nested values, and knows which ones it is inside of. */
function writer(): WriteNested {
  const open: PyValue[] = [];
  let written = 0;
  const nested: WriteNested = (value) => {
    if (typeof value !== "object" || value === null) return counted(scalarRepr(value));
    if (open.includes(value)) return cutShort(value);
    open.push(value);
    const text = Array.isArray(value) ? `[${value.map(nested).join(", ")}]` : value.toRepr(nested);
    open.pop();
    return counted(text);
  };
  function counted(text: string): string {
    written += text.length;
    if (open.length > 0) checkStringLength(written);
    return text;
  }
  return nested;
}

function cutShort(value: PyValue): string {
  if (Array.isArray(value)) return "[...]";
  return typeof value === "object" && value !== null && value.typeName === "tuple" ? "(...)" : "{...}";
}
