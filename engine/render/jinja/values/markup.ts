/** Text that is safe as HTML: how it is made from other text, and how text is got back from it. */
import { checkStringLength } from "./limits.ts";
import { str } from "./repr.ts";
import { split } from "./string_split.ts";
import { Undefined } from "./undefined.ts";
import { Markup, type PyValue } from "./value.ts";

const SPECIAL = /[&<>'"]/g;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ["'", "&#39;"],
  ['"', "&#34;"],
]);

/** The value as text that is safe as HTML; Markup is so already. */
export function escape(value: PyValue): Markup {
  if (value instanceof Markup) return value;
  if (value instanceof Undefined && value.kind === "chainable") return new Markup("");
  return new Markup(escapeText(str(value)));
}

/** Text with the five special characters of HTML replaced. */
export function escapeText(text: string): string {
  const escaped = text.replace(SPECIAL, (char) => ENTITIES.get(char) ?? char);
  checkStringLength(escaped.length);
  return escaped;
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", "\xa0"],
]);

/** Text with the entities of HTML replaced by what they stand for: numbers, and the names that are needed in practice. */
export function unescape(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+);?|#([0-9]+);?|([a-z]+);)/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED.get(name) ?? whole;
    return characterOfReference(hex === undefined ? Number(decimal) : parseInt(hex, 16));
  });
}

function characterOfReference(code: number): string {
  const valid = code > 0 && code <= 0x10ffff && (code < 0xd800 || code >= 0xe000);
  return valid ? String.fromCodePoint(code) : "\ufffd";
}

/** Text without tags and comments, white space made single blanks, entities replaced. */
export function stripTags(text: string): string {
  let result = "";
  let at = 0;
  for (let start = text.indexOf("<"); start >= 0; start = text.indexOf("<", at)) {
    const closing = text.startsWith("<!--", start) ? "-->" : ">";
    const end = text.indexOf(closing, start + (closing === ">" ? 0 : 4));
    if (end < 0) break;
    result += text.slice(at, start);
    at = end + closing.length;
  }
  return unescape(split(result + text.slice(at), undefined, -1).join(" "));
}
