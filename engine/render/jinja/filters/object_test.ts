import { assertFails, assertPrints } from "../values/testing.ts";

Deno.test("default, attr and items", () => {
  assertPrints([
    ["x|default('d')", "d"],
    ["''|default('d')", ""],
    ["''|default('d',true)", "d"],
    ["none|d('x')", "None"],
    ["x|default", ""],
    ["{'a':1}|items|list", "[('a', 1)]"],
    ["x|items|list", "[]"],
    ["{'a':1}|attr('a') is defined", "False"],
    ["'a'|attr('upper') is defined", "True"],
    ["5|attr('real')", "5"],
  ]);
  assertFails([
    ["[1]|items|list", "type", "Can only get item pairs from a mapping."],
    ["5|attr(1)", "type", "attribute name must be string, not 'int'"],
  ]);
});
