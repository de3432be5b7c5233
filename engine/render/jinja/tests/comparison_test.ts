import { assertFails, assertPrints } from "../values/testing.ts";

Deno.test("comparisons have names", () => {
  assertPrints([
    [
      "[1 is eq(1.0), 1 is ne(2), 1 is lt(2), 2 is ge(2), 1 is in([1]), 'a' is equalto('a'), 3 is greaterthan(2), 1 is le(0)]",
      "[True, True, True, True, True, True, True, False]",
    ],
    ["[1,2,3]|select('<',3)|list", "[1, 2]"],
    ["[1,2,3]|select('>=',2)|list", "[2, 3]"],
    ["none is sameas(none)", "True"],
    ["[] is sameas([])", "False"],
    ["1 is sameas(true)", "False"],
  ]);
  assertFails([
    ["1 is lt('a')", "type", "'<' not supported between instances of 'int' and 'str'"],
    ["1 is in(5)", "type", "argument of type 'int' is not iterable"],
    ["1 is eq", "type", "eq expected 2 arguments, got 1"],
  ]);
});
