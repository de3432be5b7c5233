/** Between values of templates and plain data of JavaScript. */
import { itemsOf, textOf } from "./coerce.ts";
import { PyDict } from "./dict.ts";
import { typeError } from "./error.ts";
import { normalise } from "./integer.ts";
import { str } from "./repr.ts";
import { typeName } from "./type_name.ts";
import { PyFloat, type PyValue } from "./value.ts";

/** Data that holds values and nothing else; a `bigint` is an integer that no number can hold. */
export type PlainValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly PlainValue[]
  | ReadonlyMap<string, PlainValue>
  | { readonly [key: string]: PlainValue };

/** Plain data as a value; a number with an integral value becomes an int. */
export function fromPlain(data: PlainValue): PyValue {
  if (data === null || typeof data === "boolean" || typeof data === "string") return data;
  if (typeof data === "number") return Number.isSafeInteger(data) ? data + 0 : new PyFloat(data);
  if (typeof data === "bigint") return normalise(data);
  if (isList(data)) return data.map(fromPlain);
  const dict = new PyDict();
  const entries = data instanceof Map ? data.entries() : Object.entries(data);
  for (const [key, value] of entries) dict.set(key, fromPlain(value));
  return dict;
}

function isList(data: PlainValue): data is readonly PlainValue[] {
  return Array.isArray(data);
}

/** A value as plain data; dicts become Maps, so that no key is lost or moved. Throws `PyError` for what is no data. */
export function toPlain(value: PyValue): PlainValue {
  if (value === null || typeof value !== "object") return value;
  if (value instanceof PyFloat) return value.value;
  const text = textOf(value);
  if (text !== undefined) return text;
  const items = itemsOf(value);
  if (items !== undefined) return items.map(toPlain);
  if (value instanceof PyDict) {
    return new Map(Array.from(value.entries(), ([key, item]) => [str(key), toPlain(item)]));
  }
  throw typeError(`A value of type '${typeName(value)}' is no plain data`);
}
