/**
 * Python's equality of keys, as keys of a JavaScript Map: values that are equal and hash equally in Python (`1`, `1.0`
 * and `True`; tuples of such; a str and Markup of the same text) have the same key. Strings and integers, by far the
 * most frequent, are their own key.
 */
import { typeError } from "./error.ts";
import { checkStringLength } from "./limits.ts";
import { typeName } from "./type_name.ts";
import { Undefined } from "./undefined.ts";
import {
  Markup,
  PyCallable,
  PyFloat,
  PyIterator,
  PyObject,
  PyRange,
  PyTuple,
  type PyValue,
} from "./value.ts";

/** A key of a JavaScript Map. An object stands for itself only. */
export type HashKey = string | number | bigint | null | PyFloat | PyObject | PyCallable | PyIterator;

/** The key of a value. Throws `PyError` where Python says that the value is unhashable. */
export function hashKey(value: PyValue): HashKey {
  if (typeof value === "string") return stringKey(value);
  if (value === null || typeof value === "number" || typeof value === "bigint") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof Markup) return stringKey(value.text);
  if (value instanceof PyFloat) return floatKey(value);
  if (value instanceof PyTuple) return tupleKey(value);
  if (value instanceof PyRange) return rangeKey(value);
  if (value instanceof Undefined) {
    if (value.kind === "strict") throw value.error();
    return `\0u${value.kind}`;
  }
  if (value instanceof PyObject || value instanceof PyCallable || value instanceof PyIterator) return value;
  throw typeError(`unhashable type: '${typeName(value)}'`);
}

/** Keys that are made up begin with a zero character, so a string that begins with one gets a second. */
function stringKey(text: string): string {
  return text.charCodeAt(0) === 0 ? `\0${text}` : text;
}

function floatKey(float: PyFloat): HashKey {
  const { value } = float;
  if (Number.isNaN(value)) return float;
  if (!Number.isInteger(value)) return value;
  return Number.isSafeInteger(value) ? value + 0 : BigInt(value);
}

function rangeKey({ start, step, length }: PyRange): string {
  if (length === 0) return "\0r0";
  return length === 1 ? `\0r1,${start}` : `\0r${length},${start},${step}`;
}

function tupleKey({ items }: PyTuple): string {
  const key = `\0t${items.map(partOfTuple).join("")}`;
  checkStringLength(key.length);
  return key;
}

/** Parts of a tuple are written with their type and length, so that no two tuples run into one another. */
function partOfTuple(item: PyValue): string {
  const key = hashKey(item);
  if (typeof key === "string") return `s${key.length}:${key}`;
  if (key === null) return "n";
  if (typeof key === "object") {
    throw typeError(`a tuple with a ${typeName(item)} inside cannot be a key here`);
  }
  return `i${key}:`;
}
