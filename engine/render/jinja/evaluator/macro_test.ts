import assert from "node:assert/strict";
import { render, renderFailure } from "../testing.ts";

Deno.test("parameters take positional and named arguments, and defaults that see those before them", () => {
  const macro = "[% macro m(a, b=a, c=3) %][{ a }][{ b }][{ c }][% endmacro %]";
  assert.equal(render(`${macro}[{ m(1) }] [{ m(1, 2) }] [{ m(c=9, a=8) }]`), "113 123 889");
});

Deno.test("a macro sees the names around it as they are when it runs", () => {
  assert.equal(
    render("[% macro m() %][{ x }][% endmacro %][% set x = 1 %][{ m() }][% set x = 2 %][{ m() }]"),
    "12",
  );
});

Deno.test("varargs, kwargs and caller are there where the body mentions them", () => {
  assert.equal(
    render("[% macro m(a) %][{ a }][{ varargs }][{ kwargs }][% endmacro %][{ m(1, 2, 3, k=4) }]"),
    "1(2, 3){'k': 4}",
  );
  assert.equal(
    render(
      "[% macro m() %]<[{ caller(1, b=2) }]>[% endmacro %][% call(a, b) m() %][{ a }][{ b }][% endcall %]",
    ),
    "<12>",
  );
  assert.equal(render("[% macro m() %][{ caller is defined }][% endmacro %][{ m() }]"), "False");
});

Deno.test("arguments that do not fit are type errors", () => {
  assert.match(
    renderFailure("[% macro m() %][% endmacro %][{ m(1) }]").message,
    /takes not more than 0 argument/,
  );
  assert.match(
    renderFailure("[% macro m() %][% endmacro %][{ m(a=1) }]").message,
    /takes no keyword argument 'a'/,
  );
  assert.match(
    renderFailure("[% macro m() %][% endmacro %][% call m() %][% endcall %]").message,
    /two values for the special caller argument/,
  );
  assert.equal(renderFailure("[{ range(**[1]) }]").kind, "type");
});

Deno.test("what Python would refuse in a compiled macro is a syntax error", () => {
  assert.match(renderFailure("[% macro m(a, a) %][% endmacro %]").detail, /duplicate argument 'a'/);
  assert.match(renderFailure("[{ range(a=1, a=2) }]").detail, /keyword argument repeated: a/);
  assert.match(renderFailure("[% macro m(caller) %][{ caller }][% endmacro %]").detail, /"caller" argument/);
});
