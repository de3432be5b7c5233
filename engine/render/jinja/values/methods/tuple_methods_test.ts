import { assertFails, assertPrints } from "../testing.ts";

Deno.test("tuples and ranges are searched", () => {
  assertPrints([
    ["(1,2,1).count(1)", "2"],
    ["(1,2,1).index(1,1)", "2"],
    ["range(5).index(3)", "3"],
    ["range(5).count(9)", "0"],
  ]);
  assertFails([
    ["(1,).index(2)", "runtime", "tuple.index(x): x not in tuple"],
    ["range(5).index(7)", "runtime", "7 is not in range"],
  ]);
});
