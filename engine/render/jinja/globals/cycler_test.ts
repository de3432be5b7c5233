import assert from "node:assert/strict";
import { render, renderFailure } from "../testing.ts";

Deno.test("a cycler goes round and can be reset", () => {
  const template =
    "[% set c = cycler('a', 'b') %][{ c.next() }][{ c.next() }][{ c.next() }][{ c.current }][{ c.reset() }][{ c.current }]";
  assert.equal(render(template), "ababNonea");
  assert.equal(renderFailure("[{ cycler() }]").detail, "at least one item has to be provided");
});
