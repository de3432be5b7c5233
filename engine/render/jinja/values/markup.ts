/** Text that is safe as HTML: how it is made from other text, and how text is got back from it. */
import { unescape } from "./html_entities.ts";
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
