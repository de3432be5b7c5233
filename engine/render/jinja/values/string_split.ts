/** Taking strings apart and cutting off their ends, by Python's rules for white space and line ends. */
import { runtimeError } from "./error.ts";
import { SPACE } from "./unicode.ts";

const SPACES = new RegExp(`[${SPACE}]+`, "g");
const WIDE_SPACE = new RegExp(`[${SPACE}]`);
const LINE_END = "\\n\\v\\f\\r\\x1c-\\x1e\\x85\\u2028\\u2029";
const LINE = new RegExp(`\\r\\n|[${LINE_END}]`, "g");

/** Which ends to cut. */
export type Ends = "both" | "left" | "right";

/** Cuts off white space, or any of the given characters, at the ends. */
export function strip(text: string, characters: string | undefined, ends: Ends): string {
  if (characters !== undefined) return stripCharacters(text, new Set(characters), ends);
  let start = 0;
  let end = text.length;
  if (ends !== "right") { while (start < end && isSpace(text.charCodeAt(start))) start++; }
  if (ends !== "left") { while (end > start && isSpace(text.charCodeAt(end - 1))) end--; }
  return text.slice(start, end);
}

/** Whether a UTF-16 unit is white space; all of it lies below U+10000. */
function isSpace(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x9 && code <= 0xd) || code >= 0x1c;
  return code >= 0x85 && WIDE_SPACE.test(String.fromCharCode(code));
}

function stripCharacters(text: string, characters: ReadonlySet<string>, ends: Ends): string {
  const chars = Array.from(text);
  let start = 0;
  let end = chars.length;
  if (ends !== "right") { while (start < end && characters.has(chars[start] ?? "")) start++; }
  if (ends !== "left") { while (end > start && characters.has(chars[end - 1] ?? "")) end--; }
  return chars.slice(start, end).join("");
}

/** `str.split`: at runs of white space, or at a separator; `limit` splits at most, all when negative. */
export function split(text: string, separator: string | undefined, limit: number): string[] {
  const most = limit < 0 ? Infinity : limit;
  return separator === undefined ? splitAtSpace(text, most) : splitAt(text, separator, most);
}

function splitAtSpace(text: string, most: number): string[] {
  const rest = strip(text, undefined, "left");
  const words: string[] = [];
  let start = 0;
  for (const { index, 0: space } of rest.matchAll(SPACES)) {
    if (words.length >= most) break;
    words.push(rest.slice(start, index));
    start = index + space.length;
  }
  if (start < rest.length) words.push(rest.slice(start));
  return words;
}

function splitAt(text: string, separator: string, most: number): string[] {
  if (separator === "") throw runtimeError("empty separator");
  if (most === Infinity) return text.split(separator);
  const parts: string[] = [];
  let start = 0;
  for (
    let at = text.indexOf(separator);
    at >= 0 && parts.length < most;
    at = text.indexOf(separator, start)
  ) {
    parts.push(text.slice(start, at));
    start = at + separator.length;
  }
  parts.push(text.slice(start));
  return parts;
}

/** `str.rsplit`: as {@link split}, from the right. */
export function rsplit(text: string, separator: string | undefined, limit: number): string[] {
  if (limit < 0) return split(text, separator, limit);
  return separator === undefined ? rsplitAtSpace(text, limit) : rsplitAt(text, separator, limit);
}

function rsplitAtSpace(text: string, most: number): string[] {
  const rest = strip(text, undefined, "right");
  const breaks = Array.from(rest.matchAll(SPACES)).filter(({ index }) => index > 0);
  const words: string[] = [];
  let end = rest.length;
  for (const { index, 0: space } of breaks.reverse()) {
    if (words.length >= most) break;
    words.push(rest.slice(index + space.length, end));
    end = index;
  }
  const first = words.length < most ? strip(rest.slice(0, end), undefined, "left") : rest.slice(0, end);
  if (first !== "") words.push(first);
  return words.reverse();
}

function rsplitAt(text: string, separator: string, most: number): string[] {
  if (separator === "") throw runtimeError("empty separator");
  const parts: string[] = [];
  let end = text.length;
  while (parts.length < most && end >= separator.length) {
    const at = text.lastIndexOf(separator, end - separator.length);
    if (at < 0) break;
    parts.push(text.slice(at + separator.length, end));
    end = at;
  }
  parts.push(text.slice(0, end));
  return parts.reverse();
}

/** `str.splitlines`; `keepEnds` leaves the line ends on. */
export function splitLines(text: string, keepEnds = false): string[] {
  const lines: string[] = [];
  let start = 0;
  for (const { index, 0: end } of text.matchAll(LINE)) {
    lines.push(text.slice(start, keepEnds ? index + end.length : index));
    start = index + end.length;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}
