import { assertFails, assertPrints } from "../testing.ts";

Deno.test("texts of Markup are Markup, and what is put in is escaped", () => {
  assertPrints([
    ["[('<a>'|safe).upper()]", "[Markup('<A>')]"],
    ["[('a,b'|safe).split(',')]", "[[Markup('a'), Markup('b')]]"],
    ["('<b>'|safe).join(['<',('<'|safe)])", "&lt;<b><"],
    ["('a'|safe).replace('a','<')", "&lt;"],
    ["('{}<'|safe).format('<')", "&lt;<"],
    ["('{0!r}'|safe).format('<')", "&#39;&lt;&#39;"],
    ["('%s<'|safe) % ('<',)", "&lt;<"],
    ["('<b>'|safe).striptags()", ""],
    ["('&lt;&eacute;'|safe).unescape()", "<é"],
    ["('a'|safe).isalpha()", "True"],
  ]);
  assertFails([
    ["('a'|safe).center(3,'<')|length", "type", "The fill character must be exactly one character long"],
  ]);
});

Deno.test("a format spec is not for Markup", () => {
  assertFails([
    ["('{:5}'|safe).format('x'|safe)", "runtime", "Unsupported format specification for Markup."],
  ]);
});
