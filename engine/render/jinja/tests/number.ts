/** Tests of numbers. */
import { define } from "../values/arguments.ts";
import { eq, mod, type Test } from "../values/mod.ts";

/** Tests of numbers. */
export const numberTests: readonly Test[] = [
  define("odd", ["value"], (_env, value) => eq(mod(value, 2), 1)),
  define("even", ["value"], (_env, value) => eq(mod(value, 2), 0)),
  define("divisibleby", ["value", "num"], (_env, value, divisor) => eq(mod(value, divisor), 0)),
];
