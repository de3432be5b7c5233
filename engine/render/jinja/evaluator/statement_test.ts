import assert from "node:assert/strict";
import { render, renderFailure } from "../testing.ts";

const HTML = { context: { html: "<a&b>" } };

Deno.test("set writes names, tuples, attributes of a namespace and what a body prints", () => {
  assert.equal(render("[% set a, (b, c) = 1, (2, 3) %][{ a }][{ b }][{ c }]"), "123");
  assert.equal(
    render(
      "[% set ns = namespace(n=1) %][% for i in [1, 2] %][% set ns.n = ns.n + i %][% endfor %][{ ns.n }]",
    ),
    "4",
  );
  assert.equal(render("[% set a | upper %]x[% if true %]y[% endif %][% endset %][{ a }]"), "XY");
  assert.equal(renderFailure("[% set d.a = 1 %]", { context: { d: {} } }).kind, "runtime");
});

Deno.test("with and filter blocks keep their names to themselves", () => {
  assert.equal(
    render("[% with a = 1, b = a %][% set c = 2 %][{ a }][{ b }][{ c }][% endwith %][{ a }][{ c }]", {
      context: { a: 9 },
    }),
    "1929",
  );
  assert.equal(render("[% filter upper %][% set a = 'x' %][{ a }]y[% endfilter %][{ a }]"), "XY");
});

Deno.test("a filter block has to give text", () => {
  assert.equal(renderFailure("[% filter length %]abc[% endfilter %]").kind, "type");
});

Deno.test("autoescape escapes what is printed inside of it, and macros by where they are called", () => {
  assert.equal(
    render("[% autoescape true %][{ html }][{ html|safe }][% endautoescape %][{ html }]", HTML),
    "&lt;a&amp;b&gt;<a&b><a&b>",
  );
  assert.equal(
    render(
      "[% macro m() %]<i>[{ html }][% endmacro %][% autoescape true %][{ m() }][% endautoescape %]",
      HTML,
    ),
    "<i><a&b>",
  );
  assert.equal(
    render("[% autoescape on %][{ html }][% endautoescape %]", { context: { ...HTML.context, on: 1 } }),
    "&lt;a&amp;b&gt;",
  );
});

Deno.test("an unknown filter directly in a branch matters only when it is reached", () => {
  assert.equal(render("[% if false %][{ 1|nope }][% endif %]ok"), "ok");
  assert.equal(renderFailure("[% if true %]\n[{ 1|nope }][% endif %]").kind, "runtime");
  assert.equal(
    renderFailure("[% if false %][% for i in [] %][{ 1|nope }][% endfor %][% endif %]").kind,
    "syntax",
  );
});
