/** Filters of single values: a default, an attribute, the pairs of a mapping, pretty printing. */
import { define } from "../values/arguments.ts";
import { textOf } from "../values/coerce.ts";
import { runtimeError, typeError } from "../values/error.ts";
import { attributeOf } from "../values/lookup.ts";
import {
  DictView,
  type Filter,
  PyDict,
  PyIterator,
  type PyValue,
  truthy,
  typeName,
  Undefined,
} from "../values/mod.ts";
import { prettyPrint } from "./pprint.ts";

const DEFAULT = ["value", ["default_value", ""], ["boolean", false]] as const;

/** Filters of single values. */
export const objectFilters: readonly Filter[] = [
  define("default", DEFAULT, orDefault),
  define("d", DEFAULT, orDefault),
  define("attr", ["obj", "name"], (env, value, name) => {
    const text = textOf(name);
    if (text === undefined) throw typeError(`attribute name must be string, not '${typeName(name)}'`);
    const found = attributeOf(value, text);
    return found === undefined ? env.undefined({ object: value, name }) : found;
  }),
  define("items", ["value"], (_env, value) => new PyIterator(pairs(value))),
  define("pprint", ["value"], (_env, value) => prettyPrint(value)),
  define("random", ["seq"], () => {
    throw runtimeError("Templates are deterministic: the filter 'random' is not there");
  }),
];

function orDefault(_env: unknown, value: PyValue, fallback: PyValue, boolean: PyValue): PyValue {
  return value instanceof Undefined || (truthy(boolean) && !truthy(value)) ? fallback : value;
}

function* pairs(value: PyValue): Generator<PyValue> {
  if (value instanceof Undefined) return;
  if (!(value instanceof PyDict)) throw typeError("Can only get item pairs from a mapping.");
  yield* new DictView(value, "items");
}
