import assert from "node:assert/strict";
import { render, renderFailure } from "../testing.ts";

Deno.test("a joiner gives nothing at first", () => {
  assert.equal(
    render("[% set j = joiner('|') %][% for i in [1, 2, 3] %][{ j() }][{ i }][% endfor %]"),
    "1|2|3",
  );
  assert.equal(render("[% set j = joiner() %][{ j() }]a[{ j() }]b"), "a, b");
  assert.equal(renderFailure("[{ joiner()(1) }]").kind, "type");
});

Deno.test("a render does not see the joiner of another", () => {
  assert.equal(render("[% set j = joiner() %][{ j() }]"), "");
  assert.equal(render("[% set j = joiner() %][{ j() }]"), "");
});
