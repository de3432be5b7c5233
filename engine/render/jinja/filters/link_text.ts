/**
 * Text with its URLs and mail addresses made into links. Each word is taken for itself: brackets before it and
 * punctuation behind it stay outside, unless a bracket behind belongs to one inside.
 */
import { charLength } from "../values/code_points.ts";
import { checkStringLength } from "../values/limits.ts";
import { escape, le, type PyValue, slice, str } from "../values/mod.ts";
import { countText } from "../values/string_search.ts";
import { SPACE } from "../values/unicode.ts";

/** How links are written. */
export interface LinkOptions {
  /** How many characters are shown of an URL; null for all. */
  readonly limit: PyValue;
  readonly rel: string;
  readonly target: string | undefined;
  /** Beginnings of URLs besides the usual ones. */
  readonly schemes: readonly string[];
}

const WORD = "[\\p{L}\\p{N}_%-]";
const NAMED = `(?:https?://|www\\.)(?:(?:${WORD}+\\.)+)?(?:[a-z]{2,63}|xn--[\\p{L}\\p{N}_%]{2,59})`;
const BARE = `(?:${WORD}{2,63}\\.)+(?:com|net|int|edu|gov|org|info|mil)`;
const ADDRESS = `https?://(?:\\p{Nd}{1,3}(?:\\.\\p{Nd}{1,3}){3}` +
  "|\\[(?:[\\p{Nd}a-f]{0,4}:){2}(?:[\\p{Nd}a-f]{0,4}:?){1,6}\\])";
const URL = new RegExp(
  `^(?:${NAMED}|${BARE}|${ADDRESS})(?::\\p{Nd}{1,5})?(?:[/?#][^${SPACE}]*)?\\n?$`,
  "iu",
);
const MAIL = new RegExp(`^[^${SPACE}]+@[\\p{L}\\p{N}_][\\p{L}\\p{N}_.\\-]*\\.[\\p{L}\\p{N}_]+\\n?$`, "u");
const HEAD = /^(?:[(<]|&lt;)+/;
const TAIL = /(?:[)>.,\n]|&gt;)+$/;
const BRACKETS = [["(", ")"], ["<", ">"], ["&lt;", "&gt;"]] as const;

/** The text, escaped, with links. */
export function linkText(value: PyValue, options: LinkOptions): string {
  const words = escape(value).text.split(new RegExp(`([${SPACE}]+)`));
  const text = words.map((word) => linkWord(word, options)).join("");
  checkStringLength(text.length);
  return text;
}

function linkWord(word: string, options: LinkOptions): string {
  const [head = ""] = HEAD.exec(word) ?? [];
  const rest = word.slice(head.length);
  const [punctuation = ""] = TAIL.exec(rest) ?? [];
  let middle = rest.slice(0, rest.length - punctuation.length);
  let tail = punctuation;
  for (const [open, close] of BRACKETS) {
    const opened = countText(middle, open, [null, null]);
    if (opened <= countText(middle, close, [null, null])) continue;
    const moved = Math.min(opened, countText(tail, close, [null, null]));
    for (let i = 0; i < moved; i++) {
      const end = tail.indexOf(close) + close.length;
      middle += tail.slice(0, end);
      tail = tail.slice(end);
    }
  }
  return head + link(middle, options) + tail;
}

function link(text: string, options: LinkOptions): string {
  const attributes = ` rel="${escape(options.rel).text}"` +
    (options.target === undefined ? "" : ` target="${escape(options.target).text}"`);
  if (URL.test(text)) {
    const href = /^https?:\/\//.test(text) ? text : `https://${text}`;
    return `<a href="${href}"${attributes}>${shown(text, options.limit)}</a>`;
  }
  if (text.startsWith("mailto:") && MAIL.test(text.slice(7))) return `<a href="${text}">${text.slice(7)}</a>`;
  if (isMail(text)) return `<a href="mailto:${text}">${text}</a>`;
  let result = text;
  for (const scheme of options.schemes) {
    if (result !== scheme && result.startsWith(scheme)) {
      result = `<a href="${result}"${attributes}>${result}</a>`;
    }
  }
  return result;
}

function isMail(text: string): boolean {
  return text.includes("@") && !text.startsWith("www.") && !text.startsWith("@") && !text.includes(":") &&
    MAIL.test(text);
}

function shown(text: string, limit: PyValue): string {
  if (limit === null || le(charLength(text), limit)) return text;
  return `${str(slice(text, null, limit, null))}...`;
}
