import assert from "node:assert/strict";
import { render, renderFailure } from "../testing.ts";

Deno.test("a lenient undefined value prints as nothing and fails in arithmetic", () => {
  assert.equal(
    render("[{ x }]|[{ [x] }]|[{ x|length }]|[{ x == y }]|[{ 1 in x }]|[{ x ~ 'a' }]"),
    "|[Undefined]|0|True|False|a",
  );
  assert.equal(renderFailure("[{ x + 1 }]").detail, "'x' is undefined");
  assert.equal(renderFailure("[{ x.a }]").kind, "undefined");
});

Deno.test("a strict undefined value fails in all but tests and defaults", () => {
  const strict = { undefined: "strict" } as const;
  assert.equal(render("[{ x is defined }]|[{ x|default('d') }]|[{ [x] }]", strict), "False|d|[Undefined]");
  for (
    const use of [
      "x",
      "x == 1",
      "x|length",
      "1 in x",
      "not x",
      "x ~ ''",
      "{x: 1}",
      "x|list",
      "x|join",
      "x|string",
    ]
  ) {
    assert.equal(renderFailure(`[{ ${use} }]`, strict).kind, "undefined", use);
  }
});

Deno.test("a chainable undefined value has every attribute", () => {
  const chainable = { undefined: "chainable" } as const;
  assert.equal(render("[{ x.a.b['c'][0] }]|[{ x.a is defined }]", chainable), "|False");
  assert.equal(renderFailure("[{ x.a + 1 }]", chainable).detail, "'x' is undefined");
});
