/** `value[key]` for one key, without Jinja2's way of looking for an attribute when there is no such item. */
import { characters, isPlain } from "./code_points.ts";
import { intOf, itemsOf, textOf } from "./coerce.ts";
import { PyDict } from "./dict.ts";
import { runtimeError, typeError } from "./error.ts";
import { repr } from "./repr.ts";
import { typeName } from "./type_name.ts";
import { Undefined } from "./undefined.ts";
import { Markup, PyObject, PyRange, type PyValue } from "./value.ts";

/**
 * The item of a key; undefined where there is none, whatever Python's reason for that. Throws `PyError` where the value
 * is undefined itself.
 */
export function itemOf(value: PyValue, key: PyValue): PyValue | undefined {
  if (value instanceof PyDict) return isUnhashable(key) ? undefined : value.get(key);
  const items = itemsOf(value);
  if (items !== undefined) return at(items.length, key, (index) => items[index]);
  const text = textOf(value);
  if (text !== undefined) {
    const char = character(text, key);
    return char !== undefined && value instanceof Markup ? new Markup(char) : char;
  }
  if (value instanceof PyRange) return at(value.length, key, (index) => value.at(index));
  if (value instanceof PyObject) return value.item?.(key);
  if (value instanceof Undefined) {
    if (value.kind === "chainable") return value;
    throw value.error();
  }
  return undefined;
}

/** As {@link itemOf}, with Python's error where there is no such item. */
export function strictItem(value: PyValue, key: PyValue): PyValue {
  const item = itemOf(value, key);
  if (item !== undefined) return item;
  if (value instanceof PyDict) throw runtimeError(repr(key));
  const text = textOf(value) !== undefined;
  const sequence = text || itemsOf(value) !== undefined || value instanceof PyRange;
  if (!sequence) throw typeError(`'${typeName(value)}' object is not subscriptable`);
  const type = text ? "string" : typeName(value);
  if (intOf(key) !== undefined) throw runtimeError(`${type} index out of range`);
  throw typeError(
    text
      ? `string indices must be integers, not '${typeName(key)}'`
      : `${type} indices must be integers or slices, not ${typeName(key)}`,
  );
}

/** A tuple with something unhashable inside is found out by the dict. */
function isUnhashable(key: PyValue): boolean {
  return Array.isArray(key) || key instanceof PyDict;
}

function character(text: string, key: PyValue): string | undefined {
  if (intOf(key) === undefined) return undefined;
  if (isPlain(text)) return at(text.length, key, (index) => text.charAt(index));
  const chars = characters(text);
  return at(chars.length, key, (index) => chars[index]);
}

function at<T>(length: number, key: PyValue, read: (index: number) => T): T | undefined {
  const int = intOf(key);
  if (typeof int !== "number") return undefined;
  const index = int < 0 ? int + length : int;
  return index >= 0 && index < length ? read(index) : undefined;
}
