import assert from "node:assert/strict";
import { floatRepr } from "./float_repr.ts";

Deno.test("floats are written with as few digits as needed, exponents where Python has them", () => {
  const cases = [
    [2, "2.0"],
    [-0, "-0.0"],
    [0.1 + 0.2, "0.30000000000000004"],
    [1e15, "1000000000000000.0"],
    [1e16, "1e+16"],
    [0.0001, "0.0001"],
    [0.00001, "1e-05"],
    [1.5e-7, "1.5e-07"],
    [1.7976931348623157e308, "1.7976931348623157e+308"],
    [5e-324, "5e-324"],
    [-Infinity, "-inf"],
    [NaN, "nan"],
  ] as const;
  for (const [value, expected] of cases) assert.equal(floatRepr(value), expected);
});
