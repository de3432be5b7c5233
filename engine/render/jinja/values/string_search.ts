/** Finding text in text. Positions count characters; bounds are Python's, negative ones count from the end. */
import { charLength, charSlice, isPlain } from "./code_points.ts";
import { searchBounds } from "./index_argument.ts";
import { checkStringLength } from "./limits.ts";
import type { PyValue } from "./value.ts";

/** Where to search, as given. */
export type Bounds = readonly [start: PyValue, stop: PyValue];

/** `str.find` and `str.rfind`: the position in characters, or -1. */
export function find(text: string, part: string, [start, stop]: Bounds, from: "left" | "right"): number {
  const [begin, end] = searchBounds(charLength(text), start, stop);
  if (begin > end) return -1;
  const window = charSlice(text, begin, end);
  const at = from === "left" ? window.indexOf(part) : window.lastIndexOf(part);
  if (at < 0) return -1;
  return begin + (isPlain(window) ? at : charLength(window.slice(0, at)));
}

/** `str.count`: how often a part is there without overlapping. */
export function countText(text: string, part: string, [start, stop]: Bounds): number {
  const [begin, end] = searchBounds(charLength(text), start, stop);
  if (begin > end) return 0;
  const window = charSlice(text, begin, end);
  return part === "" ? charLength(window) + 1 : window.split(part).length - 1;
}

/** `str.startswith` and `str.endswith` for one or several texts. */
export function hasEnd(
  text: string,
  ends: readonly string[],
  [start, stop]: Bounds,
  which: "start" | "end",
): boolean {
  const [begin, end] = searchBounds(charLength(text), start, stop);
  if (begin > end) return false;
  const window = charSlice(text, begin, end);
  return ends.some((part) => which === "start" ? window.startsWith(part) : window.endsWith(part));
}

/** `str.replace`: `count` times at most, always when negative. */
export function replaceText(text: string, [from, to]: readonly [string, string], count: number): string {
  if (from === "") return replaceEmpty(text, to, count);
  if (!text.includes(from)) return text;
  const parts = text.split(from);
  const times = count < 0 ? parts.length - 1 : Math.min(count, parts.length - 1);
  checkStringLength(text.length + times * (to.length - from.length));
  if (times === parts.length - 1) return parts.join(to);
  return parts.slice(0, times + 1).join(to) +
    parts.slice(times).map((part, i) => i === 0 ? "" : from + part).join("");
}

/** The empty text is found before every character and at the end. */
function replaceEmpty(text: string, to: string, count: number): string {
  const chars = Array.from(text);
  const times = count < 0 ? chars.length + 1 : Math.min(count, chars.length + 1);
  checkStringLength(text.length + times * to.length);
  const pieces = chars.map((char, i) => (i < times ? to : "") + char);
  return pieces.join("") + (times > chars.length ? to : "");
}
