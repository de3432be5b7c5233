import assert from "node:assert/strict";
import { render, renderFailure } from "../testing.ts";

Deno.test("empty is false, and an iterator is always true", () => {
  const template = "[% for v in values %][{ 1 if v else 0 }][% endfor %]";
  assert.equal(
    render(template, { context: { values: [[], {}, "", 0, 0.5, null, false, [0], "0", { a: 1 }] } }),
    "0000100111",
  );
  assert.equal(
    render(
      "[{ 1 if (0.0) else 0 }][{ 1 if () else 0 }][{ 1 if range(0) else 0 }][{ 1 if []|map('upper') else 0 }]",
    ),
    "0001",
  );
});

Deno.test("an iterator can be gone over once", () => {
  assert.equal(render("[% set m = [1, 2]|map('string') %][{ m|first }][{ m|list }][{ m|list }]"), "1['2'][]");
  assert.equal(
    renderFailure("[{ [1]|map('string')|length }]").detail,
    "object of type 'generator' has no len()",
  );
});

Deno.test("what holds nothing cannot be gone over", () => {
  assert.equal(renderFailure("[% for i in 5 %][% endfor %]").detail, "'int' object is not iterable");
  assert.equal(render("[% for c in 'a😀' %][{ c }].[% endfor %]"), "a.😀.");
});
