import assert from "node:assert/strict";
import { render, renderFailure } from "../testing.ts";

Deno.test("what is known when compiling is built anew each time it is reached", () => {
  assert.equal(render("[% set x = [[]] * 2 %][% set _ = x[0].append(1) %][{ x }]"), "[[1], []]");
  assert.equal(
    render("[% for i in [1, 2] %][% set x = [0] + [1] %][% set _ = x.append(i) %][{ x }][% endfor %]"),
    "[0, 1, 1][0, 1, 2]",
  );
});

Deno.test("a slice that cannot be is undefined where it is known, and an error where it is not", () => {
  assert.equal(render("[{ 5[1:] }]|[{ 5[1:] is defined }]"), "|False");
  assert.equal(renderFailure("[{ x[1:] }]", { context: { x: 5 } }).kind, "type");
});

Deno.test("an error of a constant is told when it is reached, with its place", () => {
  assert.equal(render("[% if false %][{ 1 / 0 }][% endif %]ok"), "ok");
  const error = renderFailure("a\n[{ 1 / 0 }]");
  assert.deepEqual([error.kind, error.line], ["runtime", 2]);
  assert.equal(renderFailure("[{ {}.a }]", { undefined: "strict" }).kind, "undefined");
});

Deno.test("large constants are made when they are needed", () => {
  assert.equal(render("[{ ('a' * 100000)|length }]"), "100000");
});
