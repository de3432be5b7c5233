import assert from "node:assert/strict";
import { unescape } from "./html_entities.ts";

Deno.test("references become characters as in browsers", () => {
  const cases = {
    "&lt;&eacute;&hellip;": "<é…",
    "&copyx &notit;": "©x ¬it;",
    "&hellip &foo;": "&hellip &foo;",
    "&#233;&#xE9": "éé",
    "&#128;&#0;&#55296;": "€\ufffd\ufffd",
    "&#1;&#127;&#xFFFF;": "",
    "a & b": "a & b",
  };
  for (const [text, expected] of Object.entries(cases)) assert.equal(unescape(text), expected, text);
});
