import { assertFails, assertPrints } from "../testing.ts";

Deno.test("methods of integers", () => {
  assertPrints([
    ["(255).bit_length()", "8"],
    ["(2**70).bit_length()", "71"],
    ["(255).bit_count()", "8"],
    ["(5).as_integer_ratio()", "(5, 1)"],
    ["true.real", "1"],
    ["(5).denominator", "1"],
  ]);
  assertFails([
    ["(5).bit_length(1)", "type", "int.bit_length() takes no arguments (1 given)"],
  ]);
});

Deno.test("methods of floats", () => {
  assertPrints([
    ["2.0.is_integer()", "True"],
    ["0.1.as_integer_ratio()", "(3602879701896397, 36028797018963968)"],
    ["0.1.hex()", "0x1.999999999999ap-4"],
    ["(-0.0).hex()", "-0x0.0p+0"],
    ["1e-320.hex()", "0x0.00000000007e8p-1022"],
    ["1.5.imag", "0.0"],
  ]);
});
