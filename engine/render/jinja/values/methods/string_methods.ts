/** Methods of str: what they do is elsewhere, here stand their names, arguments and errors. */
import { charLength } from "../code_points.ts";
import { itemsOf, textOf } from "../coerce.ts";
import { runtimeError, typeError } from "../error.ts";
import { countArgument } from "../index_argument.ts";
import { capitalize, caseFold, isLower, isTitle, isUpper, swapCase, titleCase } from "../letter_case.ts";
import { iterate } from "../sequence.ts";
import { countText, find, hasEnd, replaceText } from "../string_search.ts";
import { type Ends, rsplit, split, splitLines, strip } from "../string_split.ts";
import { expandTabs, joinTexts, justify, translate, zeroFill } from "../string_layout.ts";
import { typeName } from "../type_name.ts";
import { CLASSES, isPrintable } from "../unicode.ts";
import { PyTuple, type PyValue } from "../value.ts";
import { formatMapMethod, formatMethod } from "./format_methods.ts";
import { type Method, type MethodTable, methodTable, named, positional } from "./method.ts";

const BOUNDS = [["start", null], ["end", null]] as const;

/** Methods of a str. */
export const stringMethods: MethodTable = methodTable([
  simple("upper", (text) => text.toUpperCase()),
  simple("lower", (text) => text.toLowerCase()),
  simple("title", titleCase),
  simple("capitalize", capitalize),
  simple("swapcase", swapCase),
  simple("casefold", caseFold),
  simple("isalpha", (text) => CLASSES.alpha.test(text)),
  simple("isdigit", (text) => CLASSES.digit.test(text)),
  simple("isdecimal", (text) => CLASSES.decimal.test(text)),
  simple("isnumeric", (text) => CLASSES.numeric.test(text)),
  simple("isalnum", (text) => CLASSES.alnum.test(text)),
  simple("isspace", (text) => CLASSES.space.test(text)),
  simple("isidentifier", (text) => CLASSES.identifier.test(text)),
  simple("isprintable", isPrintable),
  simple("isascii", (text) => /^[\0-\x7f]*$/.test(text)),
  simple("islower", isLower),
  simple("isupper", isUpper),
  simple("istitle", isTitle),
  stripping("strip", "both"),
  stripping("lstrip", "left"),
  stripping("rstrip", "right"),
  named(
    "split",
    [["sep", null], ["maxsplit", -1]],
    (_env, self, separator, limit) => split(own(self), separatorOf(separator), countArgument(limit)),
  ),
  named(
    "rsplit",
    [["sep", null], ["maxsplit", -1]],
    (_env, self, separator, limit) => rsplit(own(self), separatorOf(separator), countArgument(limit)),
  ),
  named(
    "splitlines",
    [["keepends", false]],
    (_env, self, keepEnds) => splitLines(own(self), countArgument(keepEnds) !== 0),
  ),
  positional("str.partition", ["sep"], (_env, self, separator) => partition(own(self), text(separator))),
  positional("str.rpartition", ["sep"], (_env, self, separator) => rpartition(own(self), text(separator))),
  positional("str.join", ["iterable"], (_env, self, items) => joinTexts(own(self), joinable(items))),
  positional(
    "str.replace",
    ["old", "new", ["count", -1]],
    (_env, self, from, to, count) =>
      replaceText(own(self), [replaceArgument(from, 1), replaceArgument(to, 2)], countArgument(count)),
  ),
  positional("str.removeprefix", ["prefix"], (_env, self, prefix) => {
    const cut = affix(prefix, "removeprefix");
    return own(self).startsWith(cut) ? own(self).slice(cut.length) : own(self);
  }),
  positional("str.removesuffix", ["suffix"], (_env, self, suffix) => {
    const cut = affix(suffix, "removesuffix");
    return own(self).endsWith(cut) ? own(self).slice(0, own(self).length - cut.length) : own(self);
  }),
  positional(
    "str.startswith",
    ["prefix", ...BOUNDS],
    (_env, self, ends, start, stop) => hasEnd(own(self), endsOf(ends, "startswith"), [start, stop], "start"),
  ),
  positional(
    "str.endswith",
    ["suffix", ...BOUNDS],
    (_env, self, ends, start, stop) => hasEnd(own(self), endsOf(ends, "endswith"), [start, stop], "end"),
  ),
  positional(
    "str.count",
    ["sub", ...BOUNDS],
    (_env, self, part, start, stop) => countText(own(self), text(part), [start, stop]),
  ),
  positional(
    "str.find",
    ["sub", ...BOUNDS],
    (_env, self, part, start, stop) => find(own(self), text(part), [start, stop], "left"),
  ),
  positional(
    "str.rfind",
    ["sub", ...BOUNDS],
    (_env, self, part, start, stop) => find(own(self), text(part), [start, stop], "right"),
  ),
  positional(
    "str.index",
    ["sub", ...BOUNDS],
    (_env, self, part, start, stop) => found(find(own(self), text(part), [start, stop], "left")),
  ),
  positional(
    "str.rindex",
    ["sub", ...BOUNDS],
    (_env, self, part, start, stop) => found(find(own(self), text(part), [start, stop], "right")),
  ),
  positional(
    "str.center",
    ["width", ["fillchar", " "]],
    (_env, self, width, fill) => justify(own(self), countArgument(width), fillOf(fill), "center"),
  ),
  positional(
    "str.ljust",
    ["width", ["fillchar", " "]],
    (_env, self, width, fill) => justify(own(self), countArgument(width), fillOf(fill), "left"),
  ),
  positional(
    "str.rjust",
    ["width", ["fillchar", " "]],
    (_env, self, width, fill) => justify(own(self), countArgument(width), fillOf(fill), "right"),
  ),
  positional("str.zfill", ["width"], (_env, self, width) => zeroFill(own(self), countArgument(width))),
  named("expandtabs", [["tabsize", 8]], (_env, self, size) => expandTabs(own(self), countArgument(size))),
  positional("str.translate", ["table"], (_env, self, table) => translate(own(self), table)),
  formatMethod,
  formatMapMethod,
]);

function own(self: PyValue): string {
  return textOf(self) ?? "";
}

function simple(name: string, body: (text: string) => PyValue): Method {
  return positional(`str.${name}`, [], (_env, self) => body(own(self)));
}

function stripping(name: string, ends: Ends): Method {
  return positional(`str.${name}`, [["chars", null]], (_env, self, chars) => {
    const characters = chars === null ? undefined : textOf(chars);
    if (chars !== null && characters === undefined) throw typeError(`${name} arg must be None or str`);
    return strip(own(self), characters, ends);
  });
}

function text(value: PyValue): string {
  const found = textOf(value);
  if (found === undefined) throw typeError(`must be str, not ${typeName(value)}`);
  return found;
}

function separatorOf(value: PyValue): string | undefined {
  if (value === null) return undefined;
  const found = textOf(value);
  if (found === undefined) throw typeError(`must be str or None, not ${typeName(value)}`);
  return found;
}

function replaceArgument(value: PyValue, index: number): string {
  const found = textOf(value);
  if (found === undefined) throw typeError(`replace() argument ${index} must be str, not ${typeName(value)}`);
  return found;
}

function affix(value: PyValue, method: string): string {
  const found = textOf(value);
  if (found === undefined) throw typeError(`${method}() argument must be str, not ${typeName(value)}`);
  return found;
}

function endsOf(value: PyValue, method: string): readonly string[] {
  const single = textOf(value);
  if (single !== undefined) return [single];
  const items = value instanceof PyTuple ? itemsOf(value) : undefined;
  if (items === undefined) {
    throw typeError(`${method} first arg must be str or a tuple of str, not ${typeName(value)}`);
  }
  return items.map((item) => {
    const end = textOf(item);
    if (end === undefined) {
      throw typeError(`tuple for ${method} must only contain str, not ${typeName(item)}`);
    }
    return end;
  });
}

function fillOf(value: PyValue): string {
  const fill = textOf(value);
  if (fill === undefined) {
    throw typeError(`The fill character must be a unicode character, not ${typeName(value)}`);
  }
  if (charLength(fill) !== 1) throw typeError("The fill character must be exactly one character long");
  return fill;
}

function joinable(items: PyValue): Iterable<PyValue> {
  if (typeof items === "number" || typeof items === "boolean" || items === null) {
    throw typeError("can only join an iterable");
  }
  return iterate(items);
}

function found(index: number): number {
  if (index < 0) throw runtimeError("substring not found");
  return index;
}

function partition(whole: string, separator: string): PyTuple {
  if (separator === "") throw runtimeError("empty separator");
  const at = whole.indexOf(separator);
  if (at < 0) return new PyTuple([whole, "", ""]);
  return new PyTuple([whole.slice(0, at), separator, whole.slice(at + separator.length)]);
}

function rpartition(whole: string, separator: string): PyTuple {
  if (separator === "") throw runtimeError("empty separator");
  const at = whole.lastIndexOf(separator);
  if (at < 0) return new PyTuple(["", "", whole]);
  return new PyTuple([whole.slice(0, at), separator, whole.slice(at + separator.length)]);
}
