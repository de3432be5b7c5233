/** Filters of text. What is no text is printed first, as Jinja2 does it; Markup stays Markup. */
import { define } from "../values/arguments.ts";
import { textOf } from "../values/coerce.ts";
import { runtimeError, typeError } from "../values/error.ts";
import { countArgument } from "../values/index_argument.ts";
import { checkStringLength } from "../values/limits.ts";
import { capitalize } from "../values/letter_case.ts";
import {
  add,
  escape,
  type Filter,
  type FilterEnv,
  ge,
  le,
  length,
  Markup,
  mod,
  mul,
  PyDict,
  PyTuple,
  type PyValue,
  slice,
  str,
  sub,
  truthy,
  typeName,
  Undefined,
} from "../values/mod.ts";
import { justify } from "../values/string_layout.ts";
import { replaceText } from "../values/string_search.ts";
import { splitLines, strip } from "../values/string_split.ts";
import { NUMERALS, SPACE } from "../values/unicode.ts";
import { wrapText } from "./word_wrap.ts";

const WORD_START = new RegExp(`([-${SPACE}({[<]+)`);
const WORD = new RegExp(`[_\\p{L}\\p{N}${NUMERALS}]+`, "gu");

/** Filters of text. */
export const textFilters: readonly Filter[] = [
  simple("upper", (text) => text.toUpperCase()),
  simple("lower", (text) => text.toLowerCase()),
  simple("capitalize", capitalize),
  define("title", ["s"], (_env, value) => str(value).split(WORD_START).map(titleWord).join("")),
  define("string", ["s"], (_env, value) => value instanceof Markup ? value : str(value)),
  define("trim", ["value", ["chars", null]], (_env, value, chars) => {
    const characters = chars === null ? undefined : textOf(chars);
    if (chars !== null && characters === undefined) throw typeError("strip arg must be None or str");
    return mapped(value, (text) => strip(text, characters, "both"));
  }),
  define(
    "center",
    ["value", ["width", 80]],
    (_env, value, width) => mapped(value, (text) => justify(text, countArgument(width), " ", "center")),
  ),
  define(
    "replace",
    ["s", "old", "new", ["count", null]],
    (env, value, from, to, count) =>
      replaced(value, [from, to], count === null ? -1 : countArgument(count), env),
  ),
  {
    name: "format",
    call: ([value = null, ...args], kwargs) => {
      if (args.length > 0 && kwargs.size > 0) {
        throw runtimeError("can't handle positional and keyword arguments at the same time");
      }
      const format = value instanceof Markup ? value : str(value);
      if (kwargs.size === 0) return mod(format, new PyTuple(args));
      const named = new PyDict();
      for (const [name, arg] of kwargs) named.set(name, arg);
      return mod(format, named);
    },
  },
  define(
    "indent",
    ["s", ["width", 4], ["first", false], ["blank", false]],
    (_env, value, width, first, blank) =>
      indented(value, width, { first: truthy(first), blank: truthy(blank) }),
  ),
  define(
    "truncate",
    ["s", ["length", 255], ["killwords", false], ["end", "..."], ["leeway", null]],
    (_env, value, most, killWords, end, leeway) =>
      truncated(value, { most, end, leeway: leeway === null ? 5 : leeway, killWords: truthy(killWords) }),
  ),
  define("wordcount", ["s"], (_env, value) => str(value).match(WORD)?.length ?? 0),
  define(
    "wordwrap",
    ["s", ["width", 79], ["break_long_words", true], ["wrapstring", null], ["break_on_hyphens", true]],
    (_env, value, width, breakLongWords, wrapString, breakOnHyphens) => {
      const lineEnd = wrapString === null ? "\n" : ownText(wrapString, "join");
      const lines = splitLines(ownText(value, "splitlines")).map((line) =>
        wrapText(line, {
          width: countArgument(width),
          breakLongWords: truthy(breakLongWords),
          breakOnHyphens: truthy(breakOnHyphens),
        }).join(lineEnd)
      );
      checkStringLength(lines.reduce((sum, line) => sum + line.length + lineEnd.length, 0));
      return lines.join(lineEnd);
    },
  ),
];

function simple(name: string, body: (text: string) => string): Filter {
  return define(name, ["s"], (_env, value) => mapped(value, body));
}

function mapped(value: PyValue, body: (text: string) => string): PyValue {
  const result = body(str(value));
  return value instanceof Markup ? new Markup(result) : result;
}

function titleWord(word: string): string {
  const [first = ""] = word;
  return first.toUpperCase() + word.slice(first.length).toLowerCase();
}

/** The text of a value that has to be one, since the filter calls a method of it. */
function ownText(value: PyValue, method: string): string {
  const text = textOf(value);
  if (text !== undefined) return text;
  if (value instanceof Undefined) throw value.error();
  throw runtimeError(`'${typeName(value)}' object has no attribute '${method}'`);
}

function replaced(
  value: PyValue,
  [from, to]: readonly [PyValue, PyValue],
  count: number,
  env: FilterEnv,
): PyValue {
  if (!env.autoescape) return replaceText(str(value), [str(from), str(to)], count);
  const safe = value instanceof Markup || from instanceof Markup || to instanceof Markup;
  if (!safe) return replaceText(str(value), [str(from), str(to)], count);
  const escapes = from instanceof Markup || to instanceof Markup;
  const text = escapes ? escape(value).text : str(value);
  return new Markup(replaceText(text, [str(from), escape(to).text], count));
}

function indented(
  value: PyValue,
  width: PyValue,
  { first, blank }: { readonly first: boolean; readonly blank: boolean },
): PyValue {
  const indent = textOf(width) ?? textOf(mul(" ", width)) ?? "";
  // The sum raises what Python raises for a value that is no text; a list would take the line end as an item.
  const text = ownText(Array.isArray(value) ? value : add(value, "\n"), "splitlines");
  const lines = splitLines(text);
  checkStringLength(text.length + lines.length * indent.length);
  const [head = "", ...rest] = lines;
  const body = [head, ...rest.map((line) => line !== "" || blank ? indent + line : line)].join("\n");
  const result = first ? indent + body : body;
  return value instanceof Markup ? new Markup(result) : result;
}

interface TruncateOptions {
  readonly most: PyValue;
  readonly end: PyValue;
  readonly leeway: PyValue;
  readonly killWords: boolean;
}

function truncated(value: PyValue, { most, end, leeway, killWords }: TruncateOptions): PyValue {
  const endLength = length(end);
  if (!ge(most, endLength)) throw runtimeError(`expected length >= ${endLength}, got ${str(most)}`);
  if (!ge(leeway, 0)) throw runtimeError(`expected leeway >= 0, got ${str(leeway)}`);
  if (le(length(value), add(most, leeway))) return value;
  const cut = slice(value, null, sub(most, endLength), null);
  if (killWords) return add(cut, end);
  const text = ownText(cut, "rsplit");
  const space = text.lastIndexOf(" ");
  const words = space < 0 ? text : text.slice(0, space);
  return add(cut instanceof Markup ? new Markup(words) : words, end);
}
