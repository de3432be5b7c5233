/**
 * The `attribute` argument of filters: a name, a path with dots whose numbers are indices, or several paths with
 * commas. It becomes a function that follows it from an item, by the rules of `item[key]`.
 */
import { textOf } from "../values/coerce.ts";
import { type FilterEnv, getItem, type PyValue, Undefined } from "../values/mod.ts";
import { parseInteger } from "../values/parse_number.ts";
import { CLASSES } from "../values/unicode.ts";

/** What is sorted or compared by: taken from an item. */
export type Getter = (item: PyValue) => PyValue;

/** How to follow a path. */
export interface GetterOptions {
  readonly env: FilterEnv;
  /** Stands in for what is undefined on the way; null for none. */
  readonly fallback?: PyValue;
  /** Texts are compared as lower case. */
  readonly ignoreCase?: boolean;
}

/** Follows one path; null leads to the item itself. */
export function attributeGetter(attribute: PyValue, options: GetterOptions): Getter {
  const { env, fallback = null, ignoreCase = false } = options;
  const parts = pathParts(attribute);
  return (item) => {
    let value = item;
    for (const part of parts) {
      value = getItem(value, part, env);
      if (fallback !== null && value instanceof Undefined) value = fallback;
    }
    return ignoreCase ? lowerText(value) : value;
  };
}

/** Follows several paths and gives a list of what is there. */
export function attributesGetter(attributes: PyValue, options: GetterOptions): Getter {
  const text = textOf(attributes);
  const paths = text === undefined ? [attributes] : text.split(",");
  const getters = paths.map((path) => attributeGetter(path, options));
  return (item) => getters.map((getter) => getter(item));
}

/** A text as lower case, anything else as it is. */
export function lowerText(value: PyValue): PyValue {
  return textOf(value)?.toLowerCase() ?? value;
}

function pathParts(attribute: PyValue): readonly PyValue[] {
  if (attribute === null) return [];
  const text = textOf(attribute);
  if (text === undefined) return [attribute];
  return text.split(".").map((part) => CLASSES.digit.test(part) ? parseInteger(part, 10) ?? part : part);
}
