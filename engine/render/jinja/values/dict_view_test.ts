import assert from "node:assert/strict";
import { render, renderFailure } from "../testing.ts";

Deno.test("a view follows its dict", () => {
  assert.equal(
    render(
      "[% set d = {'a': 1} %][% set k = d.keys() %][% set _ = d.update({'b': 2}) %][{ k|list }][{ k|length }]",
    ),
    "['a', 'b']2",
  );
});

Deno.test("a dict must not grow while a loop goes over it", () => {
  const template = "[% set d = {'a': 1} %][% for k in d %][% set _ = d.update({k ~ 'x': 1}) %][% endfor %]";
  assert.equal(renderFailure(template).detail, "dictionary changed size during iteration");
});
