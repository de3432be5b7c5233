import { assertFails, assertPrints } from "./testing.ts";

Deno.test("slices take characters and items by the rules of Python", () => {
  assertPrints([
    ["'hello'[1:3]", "el"],
    ["'hello'[::-1]", "olleh"],
    ["'h😀llo'[1:3]", "😀l"],
    ["[1,2,3][-2:]", "[2, 3]"],
    ["[1,2,3,4][::2]", "[1, 3]"],
    ["(1,2,3)[5:]", "()"],
    ["range(10)[2:8:3]", "range(2, 8, 3)"],
    ["range(10)[::-2]", "range(9, -1, -2)"],
    ["[1,2,3][2:0:-1]", "[3, 2]"],
    ["'abc'[-9:9]", "abc"],
    ["'abc'[true:]", "bc"],
    ["[1]['a':]", ""],
  ], { context: { "l": [1] } });
  assertFails([
    ["'abc'[::0]", "runtime", "slice step cannot be zero"],
    ["l[x:]", "type", "slice indices must be integers or None or have an __index__ method"],
  ], { context: { "l": [1] } });
});

Deno.test("what has no items has no slices", () => {
  assertFails([
    ["n[1:]", "type", "'int' object is not subscriptable"],
    ["d[1:]", "type", "unhashable type: 'slice'"],
    ["z[1:]", "type", "'NoneType' object is not subscriptable"],
    ["x[1:]", "undefined", "'x' is undefined"],
  ], { context: { "n": 5, "d": {}, "z": null } });
});
