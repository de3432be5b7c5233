import { assertFails, assertPrints } from "../values/testing.ts";

Deno.test("HTML is escaped once, or again", () => {
  assertPrints([
    ["'<a>&\\'\"'|e", "&lt;a&gt;&amp;&#39;&#34;"],
    ["'<'|e|e", "&lt;"],
    ["'<'|e|forceescape", "&amp;lt;"],
    ["('<a>'|safe)|e", "<a>"],
    ["'<p>a &amp; <b>b</b><!-- c -->\\n c</p>'|striptags", "a & b c"],
    ["{'class':'a<b','x':none,'y':u}|xmlattr", ' class="a&lt;b"'],
    ["{'a':1}|xmlattr(false)", 'a="1"'],
  ]);
  assertFails([
    ["{'a b':1}|xmlattr", "runtime", "Invalid character in attribute name: 'a b'"],
    ["[1]|xmlattr", "runtime", "'list' object has no attribute 'items'"],
  ]);
});
