import assert from "node:assert/strict";
import {
  bitLength,
  intFloorDiv,
  intMod,
  intMul,
  intTrueDiv,
  nearestFloat,
  normalise,
  roundHalfEven,
} from "./integer.ts";

Deno.test("integers are numbers while that is safe", () => {
  assert.equal(normalise(2n ** 53n - 1n), 2 ** 53 - 1);
  assert.equal(normalise(2n ** 53n), 2n ** 53n);
  assert.equal(intMul(2 ** 30, 2 ** 30), 2n ** 60n);
  assert.ok(Object.is(intMul(0, -1), 0));
});

Deno.test("division rounds down, and the rest has the sign of the divisor", () => {
  for (
    const [a, b, quotient, rest] of [[7, 2, 3, 1], [-7, 2, -4, 1], [7, -2, -4, -1], [-7, -2, 3, -1], [
      0,
      -5,
      0,
      0,
    ]] as const
  ) {
    assert.ok(Object.is(intFloorDiv(a, b), quotient), `${a} // ${b}`);
    assert.ok(Object.is(intMod(a, b), rest), `${a} % ${b}`);
  }
  assert.equal(intFloorDiv(2 ** 53 - 1, 2), 2 ** 52 - 1);
  assert.equal(intMod(-(2n ** 70n), 3), 2);
});

Deno.test("a quotient of large integers is rounded once", () => {
  assert.equal(intTrueDiv(10n ** 30n, 3), 3.333333333333333e29);
  assert.equal(nearestFloat(1n, 3n), 1 / 3);
  assert.equal(nearestFloat(5n, 10n ** 324n), 5e-324);
  assert.equal(nearestFloat(-1n, 10n ** 400n), -0);
  assert.equal(nearestFloat(2n ** 53n + 1n, 1n), 2 ** 53);
});

Deno.test("bits and halves", () => {
  assert.deepEqual([0, 1, -255, 2n ** 70n].map(bitLength), [0, 1, 8, 71]);
  assert.deepEqual([roundHalfEven(5n, 2n), roundHalfEven(7n, 2n), roundHalfEven(4n, 3n)], [2n, 4n, 1n]);
});
