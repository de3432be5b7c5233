import assert from "node:assert/strict";
import { render } from "../testing.ts";
import { stripTags } from "./markup.ts";

Deno.test("where the template escapes, what is joined with Markup is escaped", () => {
  const context = { less: "<", tag: "<b>" };
  const escaped = (expression: string): string =>
    render(`[% autoescape true %][{ ${expression} }][% endautoescape %]`, { context });
  assert.equal(escaped("less ~ (tag|safe)"), "&lt;<b>");
  assert.equal(escaped("less + (tag|safe)"), "&lt;<b>");
  assert.equal(escaped("['<', ('<b>'|safe)]|join('&')"), "&lt;&amp;<b>");
  assert.equal(escaped("('a'|safe)|replace('a', '<')"), "&lt;");
  assert.equal(escaped("'<a'|replace('a', '<'|safe)"), "&lt;<");
  assert.equal(escaped("{'a': '<'}|xmlattr"), ' a="&lt;"');
  assert.equal(escaped("('<b>'|safe)|last"), ">");
  assert.equal(escaped("['<']"), "[&#39;&lt;&#39;]");
});

Deno.test("stripTags leaves what is no tag", () => {
  assert.equal(stripTags("a <b>c</b>  d <!-- > --> e"), "a c d e");
  assert.equal(stripTags("1 < 2"), "1 < 2");
  assert.equal(stripTags("<a &lt;b&gt;"), "<a <b>");
});
