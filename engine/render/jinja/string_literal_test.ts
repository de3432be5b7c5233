import assert from "node:assert/strict";
import { unescapeLiteral } from "./string_literal.ts";

Deno.test("unescapeLiteral reads Python's escapes", () => {
  assert.equal(
    unescapeLiteral(String.raw`a\tb\n\x41\u00e9\U0001F600\101\\\'\"`),
    "a\tb\nA\u00e9\u{1F600}A\\'\"",
  );
});

Deno.test("unescapeLiteral keeps the backslash of what is no escape, and drops an escaped line end", () => {
  assert.equal(unescapeLiteral(String.raw`\d\.`), String.raw`\d\.`);
  assert.equal(unescapeLiteral("a\\\nb"), "ab");
});

Deno.test("unescapeLiteral shows a backslash before a non-ASCII character as Jinja2 does", () => {
  assert.equal(unescapeLiteral("\\é\\€\\😀"), String.raw`\xe9\u20ac\U0001f600`);
});

Deno.test("unescapeLiteral refuses escapes that are cut short", () => {
  for (const text of [String.raw`\x4`, String.raw`\u12`, String.raw`\U0001`]) {
    assert.throws(() => unescapeLiteral(text), { name: "SyntaxError", message: /truncated/ });
  }
  assert.throws(() => unescapeLiteral(String.raw`\UFFFFFFFF`), { message: /illegal Unicode/ });
  assert.throws(() => unescapeLiteral(String.raw`\N{BULLET}`), { message: /not supported/ });
});
