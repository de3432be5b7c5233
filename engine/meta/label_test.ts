import assert from "node:assert/strict";
import { shorten } from "./mod.ts";

Deno.test("long texts stay apart, within the limit, and end in a letter or digit", () => {
  const one = shorten(`${"a".repeat(62)}-.one`);
  const two = shorten(`${"a".repeat(62)}-.two`);
  assert.notEqual(one, two);
  for (const text of [one, two]) assert.match(text, /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])$/);
  assert.equal(shorten("short"), "short");
  assert.match(shorten(`${"b".repeat(51)}-${"c".repeat(60)}`), /^b{51}-[0-9a-f]{10}$/);
});
