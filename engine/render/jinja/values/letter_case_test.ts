import assert from "node:assert/strict";
import { capitalize, caseFold, swapCase, titleCase } from "./letter_case.ts";

Deno.test("title case differs from upper case in ligatures, digraphs and Greek", () => {
  assert.equal(titleCase("ǆ ßa ﬁx ა ᾳ ᾀ ᾲ"), "ǅ Ssa Fix ა ᾼ ᾈ Ὰͅ");
});

Deno.test("a sigma at the end of a word is a final one", () => {
  assert.equal(titleCase("ΑΣ ΑΣΑ Α'Σ Σ"), "Ας Ασα Α'Σ Σ");
  assert.equal(swapCase("ΑΣ"), "ας");
  assert.equal(capitalize("ΑΣ"), "Ας");
});

Deno.test("case folding goes further than lower case", () => {
  assert.equal(caseFold("Straße ς ẞ ı ꭰ"), "strasse σ ss ı Ꭰ");
});
