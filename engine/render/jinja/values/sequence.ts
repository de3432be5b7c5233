/**
 * What holds other values: whether it counts as true, how long it is, what a loop goes over. One place knows it for all
 * types.
 */
import { charLength } from "./code_points.ts";
import { PyDict } from "./dict.ts";
import { DictView } from "./dict_view.ts";
import { typeError } from "./error.ts";
import { typeName } from "./type_name.ts";
import { Undefined } from "./undefined.ts";
import { Markup, PyFloat, PyIterator, PyObject, PyRange, PyTuple, type PyValue } from "./value.ts";

/** Whether a value counts as true. Throws `PyError` for an undefined value that is strict. */
export function truthy(value: PyValue): boolean {
  if (typeof value === "boolean") return value;
  if (value === null) return false;
  if (typeof value !== "object") return value !== "" && value !== 0;
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof PyFloat) return value.value !== 0;
  return knownLength(value) !== 0;
}

/** `len(value)`. Throws `PyError` where there is none. */
export function length(value: PyValue): number {
  const known = knownLength(value);
  if (known === undefined) throw typeError(`object of type '${typeName(value)}' has no len()`);
  return known;
}

/** `len(value)`, or undefined where there is none. Throws `PyError` for an undefined value that is strict. */
export function knownLength(value: PyValue): number | undefined {
  if (typeof value === "string") return charLength(value);
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) return value.length;
  if (value instanceof PyDict) return value.size;
  if (value instanceof PyTuple) return value.items.length;
  if (value instanceof Markup) return charLength(value.text);
  if (value instanceof DictView) return value.dict.size;
  if (value instanceof PyRange) return value.length;
  if (value instanceof Undefined) {
    if (value.kind === "strict") throw value.error();
    return 0;
  }
  return value instanceof PyObject ? value.length?.() : undefined;
}

/** What a loop goes over. Throws `PyError` where that is not possible. */
export function iterate(value: PyValue): Iterable<PyValue> {
  if (typeof value === "string") return value;
  if (typeof value === "object" && value !== null) {
    if (Array.isArray(value) || value instanceof DictView || value instanceof PyIterator) return value;
    if (value instanceof PyDict) return new DictView(value, "keys");
    if (value instanceof PyTuple) return value.items;
    if (value instanceof Markup) return value.text;
    if (value instanceof PyRange) return rangeItems(value);
    if (value instanceof Undefined) {
      if (value.kind === "strict") throw value.error();
      return [];
    }
    const items = value instanceof PyObject ? value.iterate?.() : undefined;
    if (items !== undefined) return items;
  }
  throw typeError(`'${typeName(value)}' object is not iterable`);
}

function* rangeItems(range: PyRange): Generator<number> {
  for (let i = 0; i < range.length; i++) yield range.at(i);
}
