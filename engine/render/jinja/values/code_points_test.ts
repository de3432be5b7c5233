import assert from "node:assert/strict";
import { characters, charLength, charSlice, compareStrings } from "./code_points.ts";

Deno.test("strings are counted and cut by characters", () => {
  assert.equal(charLength("a😀é"), 3);
  assert.deepEqual(characters("a😀"), ["a", "😀"]);
  assert.equal(charSlice("a😀é", 1, 2), "😀");
});

Deno.test("strings are compared by characters", () => {
  assert.ok(compareStrings("\uffff", "😀") < 0);
  assert.ok(compareStrings("😀a", "😀") > 0);
  assert.ok(compareStrings("a", "😀") < 0);
  assert.equal(compareStrings("😀", "😀"), 0);
});
