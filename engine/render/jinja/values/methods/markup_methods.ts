/**
 * Methods of Markup: those of str, whose texts are Markup again. What is put in (a joiner's items, a replacement, a
 * fill, the arguments of `format`) is escaped first.
 */
import { unescape } from "../html_entities.ts";
import { escape, stripTags } from "../markup.ts";
import { iterate } from "../sequence.ts";
import { Markup, PyTuple, type PyValue } from "../value.ts";
import { textOf } from "../coerce.ts";
import { joinTexts } from "../string_layout.ts";
import { type Method, type MethodTable, methodTable, positional } from "./method.ts";
import { stringMethods } from "./string_methods.ts";

/** Methods whose texts are Markup. */
const WRAPPED: ReadonlySet<string> = new Set(
  ("upper lower title capitalize swapcase casefold strip lstrip rstrip split rsplit splitlines partition rpartition " +
    "replace removeprefix removesuffix center ljust rjust zfill expandtabs translate").split(" "),
);

/** Which argument of a method is escaped. */
const ESCAPED: ReadonlyMap<string, number> = new Map([["replace", 1], ["center", 1], ["ljust", 1], [
  "rjust",
  1,
]]);

/** Methods of Markup. */
export const markupMethods: MethodTable = methodTable([
  ...Array.from(stringMethods.values(), (method) => WRAPPED.has(method.name) ? wrapping(method) : method),
  positional(
    "Markup.join",
    ["iterable"],
    (_env, self, items) => new Markup(joinTexts(textOf(self) ?? "", Array.from(iterate(items), escape))),
  ),
  positional("Markup.unescape", [], (_env, self) => unescape(textOf(self) ?? "")),
  positional("Markup.striptags", [], (_env, self) => stripTags(textOf(self) ?? "")),
]);

function wrapping({ name, call }: Method): Method {
  const escaped = ESCAPED.get(name);
  return {
    name,
    call: (self, args, kwargs, env) =>
      asMarkup(call(self, args.map((arg, i) => i === escaped ? escape(arg) : arg), kwargs, env)),
  };
}

function asMarkup(value: PyValue): PyValue {
  if (typeof value === "string") return new Markup(value);
  if (Array.isArray(value)) return value.map(asMarkup);
  return value instanceof PyTuple ? new PyTuple(value.items.map(asMarkup)) : value;
}
