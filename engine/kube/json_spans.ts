/**
 * Where the values stand in a JSON text, without building them: cuts the items out of a list and the object out of a watch event,
 * byte for byte, so that key order and big integers reach templates as the server wrote them.
 *
 * The text has to be valid JSON (it is parsed too, which is where an error comes from).
 */

/** Start (inclusive) and end (exclusive) of a value in a text. */
export type Span = readonly [start: number, end: number];

/** The spans of the values of an object's own keys; `start` points at its `{`. */
export function memberSpans(text: string, start = 0): ReadonlyMap<string, Span> {
  const spans = new Map<string, Span>();
  let at = skipBlanks(text, skipBlanks(text, start) + 1);
  while (text[at] === '"') {
    const keyEnd = endOfString(text, at);
    const key: unknown = JSON.parse(text.slice(at, keyEnd));
    const from = skipBlanks(text, skipBlanks(text, keyEnd) + 1);
    const to = endOfValue(text, from);
    spans.set(String(key), [from, to]);
    at = skipBlanks(text, to);
    if (text[at] === ",") at = skipBlanks(text, at + 1);
  }
  return spans;
}

/** The spans of the items of a list; `start` points at its `[`. An empty list may be written as `null`, as Go does it. */
export function itemSpans(text: string, start = 0): readonly Span[] {
  if (text[start] !== "[") return [];
  const spans: Span[] = [];
  let at = skipBlanks(text, start + 1);
  while (at < text.length && text[at] !== "]") {
    const to = endOfValue(text, at);
    spans.push([at, to]);
    at = skipBlanks(text, to);
    if (text[at] === ",") at = skipBlanks(text, at + 1);
  }
  return spans;
}

function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first !== "{" && first !== "[") return endOfWord(text, start);
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at) - 1;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
    else if ((code === CLOSE_BRACE || code === CLOSE_BRACKET) && --depth === 0) return at + 1;
  }
  return text.length;
}

const QUOTE = 0x22,
  OPEN_BRACE = 0x7b,
  CLOSE_BRACE = 0x7d,
  OPEN_BRACKET = 0x5b,
  CLOSE_BRACKET = 0x5d,
  BACKSLASH = 0x5c;

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

function endOfWord(text: string, start: number): number {
  let at = start;
  while (at < text.length && !/[\s,\]}]/.test(text.charAt(at))) at++;
  return at;
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (text[at] === " " || text[at] === "\n" || text[at] === "\t" || text[at] === "\r") at++;
  return at;
}
