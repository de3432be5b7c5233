/** Filters that bring items into an order or into groups. */
import { define } from "../values/arguments.ts";
import { textOf } from "../values/coerce.ts";
import { runtimeError } from "../values/error.ts";
import { intArgument } from "../values/index_argument.ts";
import { type HashKey, hashKey } from "../values/hash.ts";
import {
  eq,
  type Filter,
  iterate,
  PyDict,
  PyIterator,
  PyTuple,
  type PyValue,
  truthy,
  typeName,
  Undefined,
} from "../values/mod.ts";
import { sorted } from "../values/sorting.ts";
import { PyNamedTuple } from "../values/value.ts";
import { attributeGetter, attributesGetter, type Getter, lowerText } from "./attribute_path.ts";

/** Filters of order. */
export const orderFilters: readonly Filter[] = [
  define(
    "sort",
    ["value", ["reverse", false], ["case_sensitive", false], ["attribute", null]],
    (env, value, reverse, caseSensitive, attribute) =>
      sorted(iterate(value), {
        key: attributesGetter(attribute, { env, ignoreCase: !truthy(caseSensitive) }),
        reverse: intArgument(reverse) !== 0,
      }),
  ),
  define(
    "dictsort",
    ["value", ["case_sensitive", false], ["by", "key"], ["reverse", false]],
    (_env, value, caseSensitive, by, reverse) => {
      const position = sortPosition(by);
      return sorted(pairsOf(value), {
        key: (pair) => {
          const part = (pair instanceof PyTuple ? pair.items[position] : undefined) ?? null;
          return truthy(caseSensitive) ? part : lowerText(part);
        },
        reverse: intArgument(reverse) !== 0,
      });
    },
  ),
  define(
    "unique",
    ["value", ["case_sensitive", false], ["attribute", null]],
    (env, value, caseSensitive, attribute) =>
      new PyIterator(unique(value, attributeGetter(attribute, { env, ignoreCase: !truthy(caseSensitive) }))),
  ),
  define(
    "groupby",
    ["value", "attribute", ["default", null], ["case_sensitive", false]],
    (env, value, attribute, fallback, caseSensitive) => {
      const ignoreCase = !truthy(caseSensitive);
      const key = attributeGetter(attribute, { env, fallback, ignoreCase });
      const shown = attributeGetter(attribute, { env, fallback });
      return groups(sorted(iterate(value), { key }), key).map(({ by, items }) =>
        new PyNamedTuple(["grouper", "list"], [ignoreCase ? shown(items[0] ?? null) : by, items])
      );
    },
  ),
];

function sortPosition(by: PyValue): 0 | 1 {
  const text = textOf(by);
  if (text === "key") return 0;
  if (text === "value") return 1;
  throw runtimeError('You can only sort by either "key" or "value"');
}

function pairsOf(value: PyValue): PyTuple[] {
  if (value instanceof PyDict) return Array.from(value.entries(), (pair) => new PyTuple(pair));
  if (value instanceof Undefined) throw value.error();
  throw runtimeError(`'${typeName(value)}' object has no attribute 'items'`);
}

function* unique(value: PyValue, key: Getter): Generator<PyValue> {
  const seen = new Set<HashKey>();
  for (const item of iterate(value)) {
    const by = hashKey(key(item));
    if (seen.has(by)) continue;
    seen.add(by);
    yield item;
  }
}

interface Group {
  readonly by: PyValue;
  readonly items: PyValue[];
}

/** Items that follow one another and have the same key. */
function groups(items: readonly PyValue[], key: Getter): Group[] {
  const found: Group[] = [];
  for (const item of items) {
    const by = key(item);
    const last = found.at(-1);
    if (last !== undefined && eq(last.by, by)) last.items.push(item);
    else found.push({ by, items: [item] });
  }
  return found;
}
