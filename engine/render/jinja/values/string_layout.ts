/** Bringing strings to a width, joining them, and replacing their characters one by one. */
import { charLength } from "./code_points.ts";
import { intOf, textOf } from "./coerce.ts";
import { runtimeError, typeError } from "./error.ts";
import { itemOf } from "./item.ts";
import { checkStringLength } from "./limits.ts";
import { typeName } from "./type_name.ts";
import { PyFloat, type PyValue } from "./value.ts";

/** Where a text stands in a wider field. */
export type Justify = "left" | "center" | "right";

/** `str.ljust`, `center` and `rjust`. */
export function justify(text: string, width: number, fill: string, where: Justify): string {
  const missing = width - charLength(text);
  if (missing <= 0) return text;
  checkStringLength(text.length + missing * fill.length);
  // Python gives the odd blank to the left where the width is odd, too.
  const centered = Math.floor(missing / 2) + (missing & width & 1);
  const left = where === "left" ? 0 : where === "right" ? missing : centered;
  return fill.repeat(left) + text + fill.repeat(missing - left);
}

/** `str.zfill`: a sign stays in front. */
export function zeroFill(text: string, width: number): string {
  const missing = width - charLength(text);
  if (missing <= 0) return text;
  checkStringLength(text.length + missing);
  const sign = /^[+-]/.test(text) ? text.charAt(0) : "";
  return sign + "0".repeat(missing) + text.slice(sign.length);
}

/** `str.expandtabs`. */
export function expandTabs(text: string, size: number): string {
  if (!text.includes("\t")) return text;
  const pieces: string[] = [];
  let length = 0;
  let column = 0;
  for (const char of text) {
    const piece = char !== "\t" ? char : size > 0 ? " ".repeat(tabWidth(size, column, length)) : "";
    pieces.push(piece);
    length += piece.length;
    column = char === "\n" || char === "\r" ? 0 : column + (char === "\t" ? piece.length : 1);
  }
  return pieces.join("");
}

function tabWidth(size: number, column: number, length: number): number {
  const width = size - column % size;
  checkStringLength(length + width);
  return width;
}

/** `str.join`. Throws `PyError` for an item that is no text. */
export function joinTexts(separator: string, items: Iterable<PyValue>): string {
  const texts: string[] = [];
  let length = 0;
  for (const item of items) {
    const text = textOf(item);
    if (text === undefined) {
      throw typeError(`sequence item ${texts.length}: expected str instance, ${typeName(item)} found`);
    }
    texts.push(text);
    length += text.length + separator.length;
    checkStringLength(length - separator.length);
  }
  return texts.join(separator);
}

/** `str.translate`: the table gives a text, a code or None for the code of a character. */
export function translate(text: string, table: PyValue): string {
  const hasItems = intOf(table) === undefined && table !== null && !(table instanceof PyFloat);
  if (!hasItems && text !== "") throw typeError(`'${typeName(table)}' object is not subscriptable`);
  let result = "";
  for (const char of text) {
    const replacement = itemOf(table, char.codePointAt(0) ?? 0);
    result += replacement === undefined ? char : replacementText(replacement);
    checkStringLength(result.length);
  }
  return result;
}

function replacementText(value: PyValue): string {
  if (value === null) return "";
  const text = textOf(value);
  if (text !== undefined) return text;
  const code = intOf(value);
  if (code === undefined) throw typeError("character mapping must return integer, None or str");
  if (code < 0 || code > 0x10ffff) throw runtimeError("character mapping must be in range(0x110000)");
  return String.fromCodePoint(Number(code));
}
