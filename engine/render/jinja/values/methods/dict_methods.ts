/** Methods of dicts and of their views. */
import { PyDict } from "../dict.ts";
import { type DictPart, DictView } from "../dict_view.ts";
import { runtimeError, typeError } from "../error.ts";
import { sameOrEqual } from "../compare.ts";
import { checkItems } from "../limits.ts";
import { repr } from "../repr.ts";
import { iterate } from "../sequence.ts";
import { typeName } from "../type_name.ts";
import { Undefined } from "../undefined.ts";
import { type Kwargs, PyTuple, type PyValue } from "../value.ts";
import { type Method, type MethodTable, methodTable, positional } from "./method.ts";
import { wrongCount } from "../arguments.ts";

/** Methods of a dict. */
export const dictMethods: MethodTable = methodTable([
  view("keys"),
  view("values"),
  view("items"),
  positional("dict.get", ["key", ["default", null]], (_env, self, key, fallback) => {
    const value = dict(self).get(key);
    return value === undefined ? fallback : value;
  }),
  positional("dict.setdefault", ["key", ["default", null]], (_env, self, key, fallback) => {
    const value = dict(self).get(key);
    if (value !== undefined) return value;
    dict(self).set(key, fallback);
    return fallback;
  }),
  {
    name: "pop",
    call: (self, args, kwargs) => {
      if (kwargs.size > 0) throw typeError("dict.pop() takes no keyword arguments");
      const [key, fallback] = args;
      if (key === undefined || args.length > 2) {
        throw wrongCount("dict.pop", { least: 1, most: 2 }, args.length);
      }
      const value = dict(self).size === 0 ? undefined : dict(self).get(key);
      if (value !== undefined) dict(self).delete(key);
      const result = value === undefined ? fallback : value;
      if (result === undefined) throw runtimeError(repr(key));
      return result;
    },
  },
  positional("dict.popitem", [], (_env, self) => {
    const last = Array.from(dict(self).entries()).at(-1);
    if (last === undefined) throw runtimeError("'popitem(): dictionary is empty'");
    dict(self).delete(last[0]);
    return new PyTuple(last);
  }),
  positional("dict.clear", [], (_env, self) => {
    dict(self).clear();
    return null;
  }),
  positional("dict.copy", [], (_env, self) => copyDict(dict(self))),
  {
    name: "update",
    call: (self, args, kwargs) => {
      if (args.length > 1) throw wrongCount("dict.update", { least: 0, most: 1 }, args.length);
      updateDict(dict(self), args[0], kwargs);
      return null;
    },
  },
  positional(
    "dict.fromkeys",
    ["iterable", ["value", null]],
    (_env, _self, keys, value) => dictFromKeys(keys, value),
  ),
]);

/** Methods of `keys()`, `values()` and `items()`. */
export const viewMethods: MethodTable = methodTable([
  positional("dict_view.isdisjoint", ["other"], (_env, self, other) => {
    const items = Array.from(iterate(self));
    return !Array.from(iterate(other)).some((item) => items.some((own) => sameOrEqual(own, item)));
  }),
]);

function view(part: DictPart): Method {
  return positional(`dict.${part}`, [], (_env, self) => new DictView(dict(self), part));
}

function dict(self: PyValue): PyDict {
  if (self instanceof PyDict) return self;
  throw typeError(`descriptor requires a 'dict' object but received a '${typeName(self)}'`);
}

/** A dict with the same keys and values. */
export function copyDict(source: PyDict): PyDict {
  const copy = new PyDict();
  for (const [key, value] of source.entries()) copy.set(key, value);
  return copy;
}

/** Sets keys from a dict or an iterable of pairs, then from names. Throws `PyError` for what is neither. */
export function updateDict(target: PyDict, source: PyValue | undefined, kwargs: Kwargs): void {
  if (source instanceof PyDict) {
    for (const [key, value] of Array.from(source.entries())) target.set(key, value);
  } else if (source instanceof Undefined) {
    throw source.error();
  } else if (source !== undefined) {
    let index = 0;
    for (const pair of iterate(source)) setPair(target, pair, index++);
  }
  for (const [name, value] of kwargs) target.set(name, value);
  checkItems(target.size);
}

function setPair(target: PyDict, pair: PyValue, index: number): void {
  const parts = isIterable(pair) ? Array.from(iterate(pair)) : undefined;
  if (parts === undefined) {
    throw typeError(`cannot convert dictionary update sequence element #${index} to a sequence`);
  }
  const [key = null, value = null] = parts;
  if (parts.length !== 2) {
    throw runtimeError(
      `dictionary update sequence element #${index} has length ${parts.length}; 2 is required`,
    );
  }
  target.set(key, value);
}

function isIterable(value: PyValue): boolean {
  return typeof value === "string" ||
    (typeof value === "object" && value !== null && typeName(value) !== "float");
}

/** `dict.fromkeys`. */
export function dictFromKeys(keys: PyValue, value: PyValue): PyDict {
  const made = new PyDict();
  for (const key of iterate(keys)) made.set(key, value);
  return made;
}
