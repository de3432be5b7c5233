/**
 * `value.name` and `value[key]` as Jinja2 does them: an attribute first and then an item, or the other way round, and
 * an undefined value when there is neither. Only what the tables of methods and the attributes of our own classes name
 * can be reached; nothing is ever looked up in a JavaScript object.
 */
import { dataAttribute } from "./attribute.ts";
import { textOf } from "./coerce.ts";
import { PyDict } from "./dict.ts";
import { DictView } from "./dict_view.ts";
import { itemOf } from "./item.ts";
import { dictMethods, viewMethods } from "./methods/dict_methods.ts";
import { listMethods } from "./methods/list_methods.ts";
import { markupMethods } from "./methods/markup_methods.ts";
import type { Method } from "./methods/method.ts";
import { floatMethods, intMethods } from "./methods/number_methods.ts";
import { stringMethods } from "./methods/string_methods.ts";
import { rangeMethods, tupleMethods } from "./methods/tuple_methods.ts";
import { Undefined } from "./undefined.ts";
import {
  type FilterEnv,
  Markup,
  PyCallable,
  PyFloat,
  PyObject,
  PyRange,
  PyTuple,
  type PyValue,
} from "./value.ts";

/** `value.name`. Throws `PyError` where the value is undefined itself. */
export function getAttr(value: PyValue, name: string, env: FilterEnv): PyValue {
  // By far the most frequent case; what follows would find the same.
  if (value instanceof PyDict && !dictMethods.has(name)) {
    const item = value.get(name);
    return item === undefined ? env.undefined({ object: value, name }) : item;
  }
  const attribute = attributeOf(value, name);
  if (attribute !== undefined) return attribute;
  const item = itemOf(value, name);
  return item === undefined ? env.undefined({ object: value, name }) : item;
}

/** `value[key]`. Throws `PyError` where the value is undefined itself. */
export function getItem(value: PyValue, key: PyValue, env: FilterEnv): PyValue {
  const item = itemOf(value, key);
  if (item !== undefined) return item;
  const name = textOf(key);
  const attribute = name === undefined ? undefined : attributeOf(value, name);
  return attribute === undefined ? env.undefined({ object: value, name: key }) : attribute;
}

/**
 * The attribute of a name: data or a bound method. undefined when there is none. Throws `PyError` where the value is
 * undefined itself.
 */
export function attributeOf(value: PyValue, name: string): PyValue | undefined {
  const method = methodsOf(value)?.get(name);
  if (method !== undefined) return bind(method, value);
  if (value instanceof Undefined) {
    if (value.kind === "chainable") return value;
    throw value.error();
  }
  return dataAttribute(value, name);
}

function bind(method: Method, self: PyValue): PyCallable {
  return new PyCallable(method.name, (args, kwargs, env) => method.call(self, args, kwargs, env));
}

function methodsOf(value: PyValue): ReadonlyMap<string, Method> | undefined {
  switch (typeof value) {
    case "string":
      return stringMethods;
    case "number":
    case "bigint":
    case "boolean":
      return intMethods;
    default:
      return value === null ? undefined : methodsOfObject(value);
  }
}

function methodsOfObject(value: PyValue): ReadonlyMap<string, Method> | undefined {
  if (value instanceof PyDict) return dictMethods;
  if (Array.isArray(value)) return listMethods;
  if (value instanceof PyObject) return undefined;
  if (value instanceof PyFloat) return floatMethods;
  if (value instanceof Markup) return markupMethods;
  if (value instanceof PyTuple) return tupleMethods;
  if (value instanceof PyRange) return rangeMethods;
  return value instanceof DictView ? viewMethods : undefined;
}
