import assert from "node:assert/strict";
import { tests } from "./mod.ts";

Deno.test("every built-in test of Jinja2 3.1 is there", () => {
  const names =
    "!= < <= == > >= boolean callable defined divisibleby eq equalto escaped even false filter float ge greaterthan gt in integer " +
    "iterable le lessthan lower lt mapping ne none number odd sameas sequence string test true undefined upper";
  assert.equal([...tests.keys()].sort().join(" "), names);
});
