import { assertFails, assertPrints } from "../values/testing.ts";

Deno.test("dict", () => {
  assertPrints([
    ["dict(a=1,b='x')", "{'a': 1, 'b': 'x'}"],
    ["dict([('a',1)],b=2)", "{'a': 1, 'b': 2}"],
    ["dict({'a':1},a=2)", "{'a': 2}"],
    ["dict.fromkeys([1,2])", "{1: None, 2: None}"],
  ]);
  assertFails([
    ["dict(1)", "type", "'int' object is not iterable"],
    ["dict([1])", "type", "cannot convert dictionary update sequence element #0 to a sequence"],
    ["dict(1,2)", "type", "dict expected at most 1 argument, got 2"],
  ]);
});
