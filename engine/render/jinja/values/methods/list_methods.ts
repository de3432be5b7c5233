/** Methods of lists. Templates may change the lists that they are given. */
import { callValue } from "../call.ts";
import { runtimeError, typeError } from "../error.ts";
import { countArgument } from "../index_argument.ts";
import { checkItems } from "../limits.ts";
import { sameOrEqual } from "../compare.ts";
import { iterate } from "../sequence.ts";
import { sorted } from "../sorting.ts";
import { typeName } from "../type_name.ts";
import type { FilterEnv, Kwargs, PyValue } from "../value.ts";
import { countItems, indexOfItem } from "./item_search.ts";
import { type MethodTable, methodTable, positional } from "./method.ts";

/** Methods of a list. */
export const listMethods: MethodTable = methodTable([
  positional("list.append", ["object"], (_env, self, item) => {
    checkItems(list(self).length + 1);
    list(self).push(item);
    return null;
  }),
  positional("list.extend", ["iterable"], (_env, self, added) => {
    const items = Array.from(iterate(added));
    checkItems(list(self).length + items.length);
    for (const item of items) list(self).push(item);
    return null;
  }),
  positional("list.insert", ["index", "object"], (_env, self, index, item) => {
    checkItems(list(self).length + 1);
    list(self).splice(countArgument(index), 0, item);
    return null;
  }),
  positional("list.remove", ["value"], (_env, self, value) => {
    const found = list(self).findIndex((item) => sameOrEqual(item, value));
    if (found < 0) throw runtimeError("list.remove(x): x not in list");
    list(self).splice(found, 1);
    return null;
  }),
  positional("list.pop", [["index", -1]], (_env, self, index) => popItem(list(self), countArgument(index))),
  positional("list.clear", [], (_env, self) => {
    list(self).length = 0;
    return null;
  }),
  positional("list.copy", [], (_env, self) => [...list(self)]),
  positional("list.reverse", [], (_env, self) => {
    list(self).reverse();
    return null;
  }),
  positional(
    "list.index",
    ["value", ["start", null], ["stop", null]],
    (_env, self, value, start, stop) => indexOfItem(self, value, [start, stop]),
  ),
  positional("list.count", ["value"], (_env, self, value) => countItems(self, value)),
  {
    name: "sort",
    call: (self, args, kwargs, env) => {
      if (args.length > 0) throw typeError("sort() takes no positional arguments");
      sortInPlace(list(self), kwargs, env);
      return null;
    },
  },
]);

function list(self: PyValue): PyValue[] {
  if (Array.isArray(self)) return self;
  throw typeError(`descriptor requires a 'list' object but received a '${typeName(self)}'`);
}

function popItem(items: PyValue[], index: number): PyValue {
  if (items.length === 0) throw runtimeError("pop from empty list");
  const at = index < 0 ? index + items.length : index;
  const [item] = at < 0 ? [] : items.splice(at, 1);
  if (item === undefined) throw runtimeError("pop index out of range");
  return item;
}

function sortInPlace(items: PyValue[], kwargs: Kwargs, env: FilterEnv): void {
  for (const name of kwargs.keys()) {
    if (name !== "key" && name !== "reverse") {
      throw typeError(`'${name}' is an invalid keyword argument for sort()`);
    }
  }
  const key = kwargs.get("key") ?? null;
  const result = sorted(items, {
    reverse: countArgument(kwargs.get("reverse") ?? false) !== 0,
    ...(key === null ? {} : { key: (item: PyValue) => callValue(key, [item], new Map(), env) }),
  });
  items.length = 0;
  for (const item of result) items.push(item);
}
