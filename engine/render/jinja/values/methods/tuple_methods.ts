/** Methods of tuples and ranges. */
import { countItems, indexOfItem } from "./item_search.ts";
import { type MethodTable, methodTable, positional } from "./method.ts";

/** Methods of a tuple. */
export const tupleMethods: MethodTable = methodTable([
  positional(
    "tuple.index",
    ["value", ["start", null], ["stop", null]],
    (_env, self, value, start, stop) => indexOfItem(self, value, [start, stop]),
  ),
  positional("tuple.count", ["value"], (_env, self, value) => countItems(self, value)),
]);

/** Methods of a range. */
export const rangeMethods: MethodTable = methodTable([
  positional("range.index", ["value"], (_env, self, value) => indexOfItem(self, value)),
  positional("range.count", ["value"], (_env, self, value) => countItems(self, value)),
]);
