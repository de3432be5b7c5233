import assert from "node:assert/strict";
import { floatFloorDiv, floatMod, floatPow } from "./float_arithmetic.ts";

Deno.test("division rounds down and keeps the sign of zero", () => {
  assert.equal(floatFloorDiv(-7.5, 2), -4);
  assert.equal(floatMod(-7.5, 2), 0.5);
  assert.ok(Object.is(floatMod(4, -2), -0));
  assert.ok(Object.is(floatFloorDiv(-0, 5), -0));
});

Deno.test("powers are those of Python", () => {
  assert.equal(floatPow(1, NaN), 1);
  assert.equal(floatPow(-1, Infinity), 1);
  assert.equal(floatPow(10, -5), 1e-5);
  assert.equal(floatPow(1.1, 10), 2.5937424601000023);
  assert.equal(floatPow(0, -Infinity), Infinity);
  assert.throws(() => floatPow(0, -1), { message: "0.0 cannot be raised to a negative power" });
  assert.throws(() => floatPow(10, 400), { message: "(34, 'Numerical result out of range')" });
  assert.throws(() => floatPow(-8, 0.5), { message: /complex/ });
});
