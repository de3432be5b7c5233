import { assertFails, assertPrints } from "./testing.ts";

Deno.test("keys of dicts can be subtracted", () => {
  assertPrints([
    ["{'a': 1, 'b': 2}.keys() - {'b': 1}.keys()", "{'a'}"],
    ["({'a': 1}.keys() - ['a'])", "set()"],
    ["({'b': 1, 'a': 2}.keys() - ['c'])|sort", "['a', 'b']"],
    ["'a' in ({'a': 1}.keys() - [])", "True"],
    ["1 if ({'a': 1}.keys() - ['a']) else 0", "0"],
  ]);
  assertFails([["{}.keys() - 1", "type", "'int' object is not iterable"], [
    "{}.values() - [1]",
    "type",
    "unsupported operand",
  ]]);
});
