/** Filters of URLs: quoting, and links in text. */
import { define } from "../values/arguments.ts";
import { textOf } from "../values/coerce.ts";
import { runtimeError, typeError } from "../values/error.ts";
import { checkStringLength } from "../values/limits.ts";
import {
  type Filter,
  type FilterEnv,
  iterate,
  Markup,
  PyCallable,
  PyDict,
  PyFloat,
  PyObject,
  PyTuple,
  type PyValue,
  repr,
  str,
  truthy,
  typeName,
} from "../values/mod.ts";
import { linkText } from "./link_text.ts";

/** Filters of URLs. */
export const urlFilters: readonly Filter[] = [
  define("urlencode", ["value"], (_env, value) => isSingle(value) ? quote(value, "/") : queryString(value)),
  define(
    "urlize",
    ["value", ["trim_url_limit", null], ["nofollow", false], ["target", null], ["rel", null], [
      "extra_schemes",
      null,
    ]],
    urlize,
  ),
];

/** Anything but a collection is quoted as one text. */
function isSingle(value: PyValue): boolean {
  if (textOf(value) !== undefined || typeof value !== "object" || value === null) return true;
  if (value instanceof PyObject) return value.iterate === undefined;
  return value instanceof PyFloat || value instanceof PyCallable;
}

function queryString(value: PyValue): string {
  const pairs = value instanceof PyDict
    ? Array.from(value.entries(), (pair) => new PyTuple(pair))
    : iterate(value);
  const parts: string[] = [];
  for (const pair of pairs) {
    const [name = null, item = null, ...more] = partsOf(pair);
    if (more.length > 0) throw runtimeError("too many values to unpack (expected 2)");
    parts.push(`${quoteForQuery(name)}=${quoteForQuery(item)}`);
  }
  return parts.join("&");
}

function partsOf(pair: PyValue): PyValue[] {
  if (typeof pair === "number" || typeof pair === "boolean" || pair === null) {
    throw typeError(`cannot unpack non-iterable ${typeName(pair)} object`);
  }
  const parts = Array.from(iterate(pair));
  if (parts.length < 2) throw runtimeError(`not enough values to unpack (expected 2, got ${parts.length})`);
  return parts;
}

function quoteForQuery(value: PyValue): string {
  return quote(value, "").replaceAll("%20", "+");
}

/** Everything but letters, digits and `_.-~` becomes `%XX`. @param safe one more character that stays */
function quote(value: PyValue, safe: "" | "/"): string {
  const text = str(value);
  checkStringLength(text.length);
  const quoted = encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const result = safe === "/" ? quoted.replaceAll("%2F", "/") : quoted;
  checkStringLength(result.length);
  return result;
}

function urlize(
  env: FilterEnv,
  value: PyValue,
  limit: PyValue,
  nofollow: PyValue,
  target: PyValue,
  rel: PyValue,
  schemes: PyValue,
): PyValue {
  const relations = new Set(truthy(rel) ? str(rel).split(/\s+/).filter((part) => part !== "") : []);
  if (truthy(nofollow)) relations.add("nofollow");
  relations.add("noopener");
  const text = linkText(value, {
    limit,
    rel: Array.from(relations).sort().join(" "),
    target: truthy(target) ? str(target) : undefined,
    schemes: schemes === null ? [] : Array.from(iterate(schemes), schemeOf),
  });
  return env.autoescape ? new Markup(text) : text;
}

function schemeOf(value: PyValue): string {
  const scheme = textOf(value);
  if (scheme === undefined || !/^[\p{L}\p{N}_.+-]{2,}:\/{0,2}$/u.test(scheme)) {
    throw runtimeError(`${repr(value)} is not a valid URI scheme prefix.`);
  }
  return scheme;
}
