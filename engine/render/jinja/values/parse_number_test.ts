import assert from "node:assert/strict";
import { parseFloatText, parseInteger } from "./parse_number.ts";

Deno.test("integers are read as int() reads them", () => {
  const read = [
    ["42", 10, 42],
    [" -7 ", 10, -7],
    ["1_000", 10, 1000],
    ["0x1f", 16, 31],
    ["0X1F", 0, 31],
    ["0b11", 0, 3],
    ["z", 36, 35],
    ["٣", 10, 3],
    ["00", 0, 0],
    ["9".repeat(20), 10, 10n ** 20n - 1n],
    ["0_7", 10, 7],
    ["0b1", 16, 177],
  ] as const;
  for (const [text, base, expected] of read) assert.equal(parseInteger(text, base), expected, text);
  for (
    const [text, base] of [
      ["", 10],
      ["1.5", 10],
      ["1__0", 10],
      ["_1", 10],
      ["1_", 10],
      ["0x1f", 10],
      ["8", 8],
      ["01", 0],
      ["a b", 16],
      ["--1", 10],
    ] as const
  ) {
    assert.equal(parseInteger(text, base), undefined, text);
  }
});

Deno.test("floats are read as float() reads them", () => {
  for (
    const [text, expected] of [["1.5", 1.5], [" -.5e2 ", -50], ["1_0.0_1", 10.01], ["inf", Infinity], [
      "-Infinity",
      -Infinity,
    ], ["5.", 5]] as const
  ) {
    assert.equal(parseFloatText(text), expected, text);
  }
  assert.ok(Number.isNaN(parseFloatText("nan")));
  for (const text of ["", ".", "1e", "0x1", "1__0", "e5", "1 2", "infin"]) {
    assert.equal(parseFloatText(text), undefined, text);
  }
});
