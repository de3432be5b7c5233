import assert from "node:assert/strict";
import { fixedDigits, roundFloat, significantDigits } from "./exact_decimal.ts";

Deno.test("digits are those of the exact value, halves go to the even one", () => {
  assert.deepEqual([0.5, 1.5, 2.5].map((value) => fixedDigits(value, 0)), ["0", "2", "2"]);
  assert.equal(fixedDigits(2.675, 2), "2.67");
  assert.equal(fixedDigits(0.125, 2), "0.12");
  assert.equal(fixedDigits(0.1, 30), "0.100000000000000005551115123126");
  assert.equal(fixedDigits(1e22, 1), "10000000000000000000000.0");
});

Deno.test("significant digits may carry into the exponent", () => {
  assert.deepEqual(significantDigits(9.996, 3), { digits: "100", exponent: 1 });
  assert.deepEqual(significantDigits(0.00012345, 3), { digits: "123", exponent: -4 });
  assert.deepEqual(significantDigits(0, 3), { digits: "000", exponent: 0 });
});

Deno.test("roundFloat gives the nearest float", () => {
  assert.equal(roundFloat(2.675, 2), 2.67);
  assert.equal(roundFloat(-1234.5, -2), -1200);
  assert.equal(roundFloat(0.5, 0), 0);
  assert.ok(Object.is(roundFloat(-0.4, 0), -0));
  assert.equal(roundFloat(1e300, -400), 0);
  assert.equal(roundFloat(5e-324, 400), 5e-324);
});
