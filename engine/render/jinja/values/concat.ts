/** The operator `~`: its operands as text, one after another. */
import { checkStringLength } from "./limits.ts";
import { escape } from "./markup.ts";
import { str } from "./repr.ts";
import { Markup, type PyValue } from "./value.ts";

/**
 * Joins values as text. Where the template escapes and one of the values is Markup, the others are escaped and the
 * result is Markup.
 */
export function concat(values: readonly PyValue[], escaping: boolean): PyValue {
  const safe = escaping && values.some((value) => value instanceof Markup);
  const texts = values.map(safe ? (value) => escape(value).text : str);
  checkStringLength(texts.reduce((sum, text) => sum + text.length, 0));
  const text = texts.join("");
  return safe ? new Markup(text) : text;
}
