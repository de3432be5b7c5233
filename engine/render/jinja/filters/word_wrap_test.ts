import assert from "node:assert/strict";
import { wrapText } from "./word_wrap.ts";

const usual = { breakLongWords: true, breakOnHyphens: true };

Deno.test("words go on a line while they fit", () => {
  assert.deepEqual(wrapText("aa bb  cc dd", { width: 5, ...usual }), ["aa bb", "cc dd"]);
  assert.deepEqual(wrapText("  lead", { width: 10, ...usual }), ["  lead"]);
  assert.deepEqual(wrapText("", { width: 5, ...usual }), []);
});

Deno.test("hyphens and dashes are places to break", () => {
  assert.deepEqual(wrapText("well-known foo--bar", { width: 6, ...usual }), [
    "well-",
    "known",
    "foo--",
    "bar",
  ]);
  assert.deepEqual(wrapText("ab-cd-efgh", { width: 7, breakLongWords: false, breakOnHyphens: false }), [
    "ab-cd-efgh",
  ]);
});

Deno.test("a word that is too long is cut by characters", () => {
  assert.deepEqual(wrapText("😀😀😀😀😀 x", { width: 2, ...usual }), ["😀😀", "😀😀", "😀", "x"]);
  assert.equal(wrapText("a".repeat(1_000_000), { width: 10, ...usual }).length, 100_000);
});
