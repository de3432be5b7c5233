/** Filters that take a sequence as a whole: its ends, its length, its items joined, summed up or cut into parts. */
import { define, defineBuiltin } from "../values/arguments.ts";
import { textOf } from "../values/coerce.ts";
import { runtimeError, typeError } from "../values/error.ts";
import { countArgument } from "../values/index_argument.ts";
import { checkItems } from "../values/limits.ts";
import {
  add,
  eq,
  escape,
  type Filter,
  type FilterEnv,
  floordiv,
  gt,
  iterate,
  length,
  lt,
  Markup,
  PyIterator,
  PyObject,
  type PyValue,
  slice,
  str,
  sub,
  truthy,
  typeName,
  Undefined,
} from "../values/mod.ts";
import { joinTexts } from "../values/string_layout.ts";
import { attributeGetter } from "./attribute_path.ts";

const AGGREGATE = [["case_sensitive", false], ["attribute", null]] as const;

/** Filters of sequences. */
export const sequenceFilters: readonly Filter[] = [
  defineBuiltin("length", ["obj"], (_env, value) => length(value)),
  defineBuiltin("count", ["obj"], (_env, value) => length(value)),
  define("list", ["value"], (_env, value) => Array.from(iterate(value))),
  define("first", ["seq"], (env, value) => {
    for (const item of iterate(value)) return item;
    return env.undefined({ hint: "No first item, sequence was empty." });
  }),
  define("last", ["seq"], (env, value) => {
    const items = reversible(value);
    if (items === undefined) throw typeError(`'${typeName(value)}' object is not reversible`);
    const last = items.at(-1);
    return last === undefined ? env.undefined({ hint: "No last item, sequence was empty." }) : last;
  }),
  define("reverse", ["value"], (_env, value) => reversed(value)),
  define("join", ["value", ["d", ""], ["attribute", null]], (env, value, separator, attribute) => {
    const getter = attributeGetter(attribute, { env });
    const items = attribute === null ? iterate(value) : Array.from(iterate(value), getter);
    return env.autoescape
      ? joinEscaped(Array.from(items), separator)
      : joinTexts(str(separator), texts(items));
  }),
  define("sum", ["iterable", ["attribute", null], ["start", 0]], (env, value, attribute, start) => {
    if (textOf(start) !== undefined) throw typeError("sum() can't sum strings [use ''.join(seq) instead]");
    const getter = attributeGetter(attribute, { env });
    let total = start;
    for (const item of iterate(value)) total = add(total, attribute === null ? item : getter(item));
    return total;
  }),
  define(
    "min",
    ["value", ...AGGREGATE],
    (env, value, caseSensitive, attribute) => extreme(value, { env, caseSensitive, attribute }, lt),
  ),
  define(
    "max",
    ["value", ...AGGREGATE],
    (env, value, caseSensitive, attribute) => extreme(value, { env, caseSensitive, attribute }, gt),
  ),
  define(
    "batch",
    ["value", "linecount", ["fill_with", null]],
    (_env, value, size, fill) => new PyIterator(batches(value, size, fill)),
  ),
  define(
    "slice",
    ["value", "slices", ["fill_with", null]],
    (_env, value, count, fill) => new PyIterator(slices(value, count, fill)),
  ),
];

/** The items of what can be gone over from its end; undefined for the rest. */
function reversible(value: PyValue): PyValue[] | undefined {
  const backwards = !(value instanceof PyIterator) &&
    !(value instanceof PyObject && (value.item === undefined || value.length === undefined));
  if (!backwards || !isIterable(value)) return undefined;
  const items = Array.from(iterate(value));
  // Going backwards uses indices, and those of Markup give Markup.
  return value instanceof Markup ? items.map((item) => new Markup(str(item))) : items;
}

function isIterable(value: PyValue): boolean {
  try {
    iterate(value);
    return true;
  } catch (error) {
    if (value instanceof Undefined) throw error;
    return false;
  }
}

function reversed(value: PyValue): PyValue {
  if (textOf(value) !== undefined) return slice(value, null, null, -1);
  if (!isIterable(value)) throw runtimeError("argument must be iterable");
  const items = Array.from(iterate(value)).reverse();
  return reversible(value) === undefined
    ? items
    : new PyIterator(items, `${typeName(value)}_reverseiterator`);
}

function* texts(items: Iterable<PyValue>): Generator<string> {
  for (const item of items) yield str(item);
}

/** Where the template escapes, Markup among the parts makes the whole Markup. */
function joinEscaped(items: readonly PyValue[], separator: PyValue): PyValue {
  const safe = separator instanceof Markup || items.some((item) => item instanceof Markup);
  if (!safe) return joinTexts(str(separator), texts(items));
  return new Markup(joinTexts(escape(separator).text, items.map((item) => escape(item).text)));
}

interface ExtremeOptions {
  readonly env: FilterEnv;
  readonly caseSensitive: PyValue;
  readonly attribute: PyValue;
}

function extreme(
  value: PyValue,
  { env, caseSensitive, attribute }: ExtremeOptions,
  beats: (a: PyValue, b: PyValue) => boolean,
): PyValue {
  const key = attributeGetter(attribute, { env, ignoreCase: !truthy(caseSensitive) });
  let best: { readonly item: PyValue; readonly by: PyValue } | undefined;
  for (const item of iterate(value)) {
    const by = key(item);
    if (best === undefined || beats(by, best.by)) best = { item, by };
  }
  return best === undefined ? env.undefined({ hint: "No aggregated item, sequence was empty." }) : best.item;
}

function* batches(value: PyValue, size: PyValue, fill: PyValue): Generator<PyValue> {
  let batch: PyValue[] = [];
  for (const item of iterate(value)) {
    if (eq(batch.length, size)) {
      yield batch;
      batch = [];
    }
    batch.push(item);
  }
  if (batch.length === 0) return;
  if (fill !== null && lt(batch.length, size)) {
    const missing = countArgument(sub(size, batch.length));
    checkItems(missing);
    for (let i = 0; i < missing; i++) batch.push(fill);
  }
  yield batch;
}

/** Parts that differ in length by one at most; the longer ones come first. */
function* slices(value: PyValue, count: PyValue, fill: PyValue): Generator<PyValue> {
  const items = Array.from(iterate(value));
  const size = countArgument(floordiv(items.length, count));
  const parts = countArgument(count);
  const longer = items.length - size * parts;
  let start = 0;
  for (let i = 0; i < parts; i++) {
    const end = start + size + (i < longer ? 1 : 0);
    const part = items.slice(start, end);
    if (fill !== null && i >= longer) part.push(fill);
    yield part;
    start = end;
  }
}
