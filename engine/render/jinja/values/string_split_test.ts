import assert from "node:assert/strict";
import { rsplit, split, splitLines, strip } from "./string_split.ts";

Deno.test("white space is Python's", () => {
  assert.equal(strip("\x1c\u00a0\u3000x\u200b ", undefined, "both"), "x\u200b");
  assert.deepEqual(split("a\x85b\u2003c", undefined, -1), ["a", "b", "c"]);
  assert.equal(strip("  x ", undefined, "left"), "x ");
  assert.equal(strip("😀x😀", "😀", "right"), "😀x");
});

Deno.test("the rest of a limited split keeps its blanks", () => {
  assert.deepEqual(split(" a  b  c ", undefined, 1), ["a", "b  c "]);
  assert.deepEqual(rsplit(" a  b  c ", undefined, 1), [" a  b", "c"]);
  assert.deepEqual(rsplit("a,b,c", ",", 1), ["a,b", "c"]);
  assert.deepEqual(split("", undefined, -1), []);
  assert.deepEqual(split("", ",", -1), [""]);
});

Deno.test("lines end as Python sees it", () => {
  assert.deepEqual(splitLines("a\r\nb\rc\x0bd\u2028e\n"), ["a", "b", "c", "d", "e"]);
  assert.deepEqual(splitLines("a\r\n\nb", true), ["a\r\n", "\n", "b"]);
});
