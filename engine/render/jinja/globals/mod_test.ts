import assert from "node:assert/strict";
import { renderFailure } from "../testing.ts";
import { globals } from "./mod.ts";

Deno.test("the global functions are those of Jinja2, and chance is not among them", () => {
  assert.deepEqual([...globals.keys()].sort(), ["cycler", "dict", "joiner", "lipsum", "namespace", "range"]);
  for (const use of ["lipsum()", "[1]|random"]) {
    assert.match(renderFailure(`[{ ${use} }]`).detail, /deterministic/);
  }
});
