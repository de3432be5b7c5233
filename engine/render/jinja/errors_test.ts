import assert from "node:assert/strict";
import { nearest } from "../../meta/mod.ts";
import { didYouMean, syntaxError } from "./errors.ts";

Deno.test("a TemplateError names template, line and column, and shows the line with a caret", () => {
  const source = { name: "core/service.yaml", text: "kind: Service\n\tport: [{ spec. }]\n" };
  const error = syntaxError(
    { source, line: 2, column: 16 },
    "expected name or number",
    "Write a name after the dot",
  );
  assert.equal(
    error.message,
    "Template core/service.yaml, line 2, column 16: expected name or number\n" +
      "  \tport: [{ spec. }]\n" +
      "  \t              ^\n" +
      "  Write a name after the dot",
  );
  assert.deepEqual(
    [error.kind, error.template, error.line, error.column, error.sourceLine],
    ["syntax", "core/service.yaml", 2, 16, "\tport: [{ spec. }]"],
  );
});

Deno.test("nearest finds a misspelt name, and nothing where all are far", () => {
  const names = ["default", "upper", "tojson", "replace"];
  assert.equal(nearest("defualt", names), "default");
  assert.equal(nearest("toJson", names), "tojson");
  assert.equal(nearest("xyz", names), undefined);
  assert.equal(didYouMean("uper", names), "Did you mean 'upper'?");
  assert.equal(didYouMean("uper", []), undefined);
});
