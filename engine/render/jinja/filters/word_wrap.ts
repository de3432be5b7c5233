/**
 * Breaking a line into lines of a width, as Python's `textwrap` does it: text is cut into chunks (words, parts of
 * words that end in a hyphen, dashes, white space), and as many chunks go on a line as fit.
 */
import { charLength } from "../values/code_points.ts";
import { runtimeError } from "../values/error.ts";
import { strip } from "../values/string_split.ts";
import { NUMERALS } from "../values/unicode.ts";

/** How to wrap. */
export interface WrapOptions {
  /** Characters of a line. */
  readonly width: number;
  /** Cut words that do not fit on a line; they stand out of it else. */
  readonly breakLongWords: boolean;
  /** A hyphen inside a word is a place to break. */
  readonly breakOnHyphens: boolean;
}

const BLANK = "\\t\\n\\v\\f\\r ";
const LETTER = `[\\p{L}\\p{Nl}\\p{No}${NUMERALS}_]`;
const WORD_CHARACTER = `[\\p{L}\\p{N}${NUMERALS}_]`;
const WORD_OR_MARK = `[\\p{L}\\p{N}${NUMERALS}_!"'&.,?]`;

/** White space, a dash between words, or a word up to a hyphen, its end or a dash. */
const CHUNK = new RegExp(
  `[${BLANK}]+` +
    `|(?<=${WORD_OR_MARK})-{2,}(?=${WORD_CHARACTER})` +
    `|[^${BLANK}]+?(?:` +
    `-(?:(?<=${LETTER}{2}-)|(?<=${LETTER}-${LETTER}-))(?=${LETTER}-?${LETTER})` +
    `|(?=[${BLANK}]|$)` +
    `|(?<=${WORD_OR_MARK})(?=-{2,}${WORD_CHARACTER}))`,
  "gu",
);

/** The lines of one line. Throws `PyError` for a width below one. */
export function wrapText(text: string, options: WrapOptions): string[] {
  const { width } = options;
  if (width <= 0) throw runtimeError(`invalid width ${width} (must be > 0)`);
  // The next chunk is at the end.
  const chunks = chunksOf(text, options).reverse();
  const lines: string[] = [];
  while (chunks.length > 0) {
    if (lines.length > 0 && isBlank(chunks.at(-1))) chunks.pop();
    const line = takeLine(chunks, options);
    if (isBlank(line.at(-1))) line.pop();
    if (line.length > 0) lines.push(line.join(""));
  }
  return lines;
}

function chunksOf(text: string, { breakOnHyphens }: WrapOptions): string[] {
  if (breakOnHyphens) return text.match(CHUNK) ?? [];
  return text.split(new RegExp(`([${BLANK}]+)`)).filter((chunk) => chunk !== "");
}

/** Takes as many chunks as fit, and a part of one that would fit on no line. */
function takeLine(chunks: string[], options: WrapOptions): string[] {
  const line: string[] = [];
  let room = options.width;
  for (let chunk = chunks.at(-1); chunk !== undefined; chunk = chunks.at(-1)) {
    const length = fittingLength(chunk, room);
    if (length === undefined) {
      if (fittingLength(chunk, options.width) === undefined) takeLongWord(chunks, line, { room, ...options });
      break;
    }
    line.push(chunk);
    chunks.pop();
    room -= length;
  }
  return line;
}

function takeLongWord(
  chunks: string[],
  line: string[],
  { room, breakLongWords, breakOnHyphens }: WrapOptions & { readonly room: number },
): void {
  const word = chunks.pop();
  if (word === undefined) return;
  if (!breakLongWords) {
    if (line.length === 0) line.push(word);
    else chunks.push(word);
    return;
  }
  // A character has two units at most, so this is enough of a word that may be very long.
  const chars = Array.from(word.slice(0, 2 * room)).slice(0, room);
  const end = breakOnHyphens ? hyphenBreak(chars, room) : room;
  const part = chars.slice(0, end).join("");
  line.push(part);
  chunks.push(word.slice(part.length));
}

/** How many characters a chunk has; undefined when there are more than fit. */
function fittingLength(chunk: string, room: number): number | undefined {
  if (chunk.length > 2 * room) return undefined;
  const length = charLength(chunk);
  return length <= room ? length : undefined;
}

/** Behind the last hyphen that fits and has something else before it, or at the end of the room. */
function hyphenBreak(chars: readonly string[], room: number): number {
  const hyphen = room > 0 ? chars.lastIndexOf("-", room - 1) : -1;
  return hyphen > 0 && chars.slice(0, hyphen).some((char) => char !== "-") ? hyphen + 1 : room;
}

function isBlank(chunk: string | undefined): boolean {
  return chunk !== undefined && strip(chunk, undefined, "both") === "";
}
