import assert from "node:assert/strict";
import { render, renderFailure } from "../testing.ts";

const templates = {
  base: "<[% block a %]base-a[% endblock %]|[% block b %]base-b[% endblock %]>",
  middle: "[% extends 'base' %][% block a %]middle([{ super() }])[% endblock %]",
  part: "[{ x }][{ y }]",
  lib: "[% set v = 1 %][% set _hidden = 2 %][% macro m() %]m[{ x }][% endmacro %]printed",
};

Deno.test("a template that extends another fills its blocks", () => {
  assert.equal(
    render("ignored[% extends 'middle' %][% block b %]own([{ self.a() }])[% endblock %]ignored", {
      templates,
    }),
    "ignored<middle(base-a)|own(middle(base-a))>",
  );
  assert.equal(
    render("[% extends 'middle' %][% block a %][{ super.super() }][% endblock %]", { templates }),
    "<base-a|base-b>",
  );
});

Deno.test("an extends that may not happen is decided when it is reached", () => {
  const template = "[% if deep %][% extends 'base' %][% endif %]own[% block a %]a[% endblock %]";
  assert.equal(render(template, { templates, context: { deep: true } }), "<a|base-b>");
  assert.equal(render(template, { templates, context: { deep: false } }), "owna");
});

Deno.test("blocks see the context, and the loop around them only where they are scoped", () => {
  const context = { l: [1, 2] };
  assert.equal(render("[% for i in l %][% block a %][{ i }].[% endblock %][% endfor %]", { context }), "..");
  assert.equal(
    render("[% for i in l %][% block a scoped %][{ i }].[% endblock %][% endfor %]", { context }),
    "1.2.",
  );
});

Deno.test("a required block has to be filled", () => {
  assert.match(renderFailure("[% block a required %][% endblock %]").message, /Required block 'a' not found/);
});

Deno.test("an included template sees all names, or none", () => {
  const template = "[% for y in [1] %][% include 'part' %]|[% include 'part' without context %][% endfor %]";
  assert.equal(render(template, { templates, context: { x: "x" } }), "x1|");
});

Deno.test("several names: the first template there is; ignore missing: none is fine too", () => {
  assert.equal(render("[% include ['nope', 'part'] %]", { templates, context: { x: 1 } }), "1");
  assert.equal(render("[% include 'nope' ignore missing %]ok", { templates }), "ok");
  assert.match(
    renderFailure("[% include ['nope', 'no'] %]", { templates }).message,
    /none of the templates given were found: nope, no/,
  );
  assert.equal(renderFailure("[% include nope ignore missing %]", { templates }).kind, "undefined");
});

Deno.test("an imported template gives what it exports, without the context unless it is asked for", () => {
  const context = { x: "X" };
  assert.equal(
    render("[% import 'lib' as lib %][{ lib.v }][{ lib.m() }][{ lib._hidden }][{ lib }]", {
      templates,
      context,
    }),
    "1mprinted",
  );
  assert.equal(
    render("[% from 'lib' import m as n, v with context %][{ n() }][{ v }]", { templates, context }),
    "mX1",
  );
  assert.match(
    renderFailure("[% from 'lib' import nope %][{ nope() }]", { templates }).message,
    /the template 'lib' \(imported on line 1 in 'main'\) does not export the requested name 'nope'/,
  );
});
