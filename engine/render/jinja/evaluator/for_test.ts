import assert from "node:assert/strict";
import { render, renderFailure } from "../testing.ts";

const context = {
  l: [1, 2, 3],
  tree: [{ n: "a", c: [{ n: "b", c: [] }, { n: "c", c: [{ n: "d", c: [] }] }] }, { n: "e", c: [] }],
};

Deno.test("what a loop writes stays in one round of it", () => {
  assert.equal(
    render("[% set x = 0 %][% for i in l %][{ x }][% set x = i %][{ x }] [% endfor %][{ x }]", { context }),
    "01 02 03 0",
  );
});

Deno.test("loop tells where it is, and looks ahead", () => {
  assert.equal(
    render(
      "[% for i in l %][{ loop.index }]/[{ loop.length }]:[{ loop.previtem }]<[{ i }]>[{ loop.nextitem }] [% endfor %]",
      {
        context,
      },
    ),
    "1/3:<1>2 2/3:1<2>3 3/3:2<3> ",
  );
  assert.equal(
    render("[% for i in l if i > 1 %][{ loop.revindex }][{ loop.last }] [% endfor %]", { context }),
    "2False 1True ",
  );
});

Deno.test("loop.changed and loop.cycle", () => {
  assert.equal(
    render("[% for i in [1, 1, 2] %][{ loop.changed(i) }][{ loop.cycle('a', 'b') }] [% endfor %]"),
    "Truea Falseb Truea ",
  );
});

Deno.test("a condition filters before the loop counts; else runs when nothing is left", () => {
  const template = "[% for i in l if i > n %][{ loop.index }]=[{ i }] [% else %]none[% endfor %]";
  assert.equal(render(template, { context: { ...context, n: 1 } }), "1=2 2=3 ");
  assert.equal(render(template, { context: { ...context, n: 9 } }), "none");
});

Deno.test("a recursive loop has variables of its own on each level", () => {
  assert.equal(
    render(
      "[% for n in tree recursive %][% set q = n.n %][{ loop.depth }][{ loop(n.c) }][{ q }][% endfor %]",
      { context },
    ),
    "12b23dca1e",
  );
  assert.equal(renderFailure("[% for n in tree %][{ loop(n.c) }][% endfor %]", { context }).kind, "type");
});

Deno.test("the condition of a recursive loop sees the names around the loop", () => {
  const inner = "[% for b in 'xy' if loop.first recursive %][{ b }][% else %]-[% endfor %]";
  assert.equal(render(`[% for a in [1, 2] %][{ loop.index }]${inner}[% endfor %]`), "1xy2-");
});

Deno.test("values are unpacked, and the number of them has to fit", () => {
  assert.equal(render("[% for a, (b, c) in [[1, [2, 3]]] %][{ a }][{ b }][{ c }][% endfor %]"), "123");
  assert.match(renderFailure("[% for a, b in [[1]] %][% endfor %]").message, /not enough values to unpack/);
  assert.match(
    renderFailure("[% for a, b in [[1, 2, 3]] %][% endfor %]").message,
    /too many values to unpack/,
  );
});
