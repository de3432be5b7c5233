import assert from "node:assert/strict";
import { referencedTemplates } from "./references.ts";

Deno.test("literals of include, import, from and extends are found, in every spelling", () => {
  const text = `
[% include "lib/a.j2" %][%- include 'lib/b.j2' ignore missing -%][% include ["lib/c.j2", "other/d.j2"] %]
[% import "macros/m.j2" as m %][%+ from "macros/n.j2" import x %][% extends
"base/e.j2" %] [% include "lib/a.j2" %]
[% set x = "no/statement.j2" %] include "no/text.j2" [{ "no/output.j2" }] [% include "lib/" ~ name %] [% included "no/x" %]`;
  assert.deepEqual(referencedTemplates(text), [
    "lib/a.j2",
    "lib/b.j2",
    "lib/c.j2",
    "other/d.j2",
    "macros/m.j2",
    "macros/n.j2",
    "base/e.j2",
  ]);
});
