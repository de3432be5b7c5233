import { assertFails, assertPrints } from "../values/testing.ts";

Deno.test("namespace", () => {
  assertPrints([
    ["namespace(a=1)", "<Namespace {'a': 1}>"],
    ["namespace({'x':1},y=2).x", "1"],
    ["namespace(a=1).b is defined", "False"],
    ["namespace(a=1)['a'] is defined", "True"],
  ]);
  assertFails([
    ["namespace(5)", "type", "'int' object is not iterable"],
  ]);
});
