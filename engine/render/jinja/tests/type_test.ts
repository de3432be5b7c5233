import { assertFails, assertPrints } from "../values/testing.ts";

Deno.test("types", () => {
  assertPrints([
    [
      "[1 is integer, true is integer, 1.0 is float, true is number, 'a' is string, ('a'|safe) is string]",
      "[True, False, True, True, True, True]",
    ],
    [
      "[none is none, x is undefined, 1 is defined, true is boolean, true is true, 1 is true, false is false]",
      "[True, True, True, True, True, False, True]",
    ],
    [
      "[{} is mapping, [] is mapping, 'a' is sequence, {} is sequence, 5 is sequence, {}.keys() is sequence, range(2) is sequence]",
      "[True, False, True, True, False, False, True]",
    ],
    [
      "['a' is iterable, 5 is iterable, x is iterable, 'a'.upper is callable, 1 is callable, dict is callable]",
      "[True, False, True, True, False, True]",
    ],
    [
      "['ab' is lower, 'aB' is lower, 'AB1' is upper, ('a'|safe) is escaped, 'a' is escaped]",
      "[True, False, True, True, False]",
    ],
    ["['upper' is filter, 'nope' is filter, 'odd' is test, 'nope' is test]", "[True, False, True, False]"],
  ]);
  assertFails([
    ["[] is filter", "type", "unhashable type: 'list'"],
    ["1 is defined(2)", "type", "defined() takes 1 positional argument but 2 were given"],
  ]);
});
