/** Both languages keep what the port promises, and nunjucks keeps its own ways. */
import { languageNamed } from "./languages.ts";
import { templateLanguageConformance } from "./language_conformance.ts";

templateLanguageConformance("Jinja2", {
  language: await languageNamed("jinja2"),
  pairs: "spec.items()",
  json: "tojson",
  endless: [
    "[% for a in range(100000) %][% for b in range(100000) %]",
    "[% endfor %][% endfor %]",
  ],
});

templateLanguageConformance("nunjucks", {
  language: await languageNamed("nunjucks"),
  pairs: "spec",
  json: "dump",
  endless: [
    "[% for a in range(100000) %][% for b in range(100000) %]",
    "[% endfor %][% endfor %]",
  ],
});
