import assert from "node:assert/strict";
import { render } from "../testing.ts";
import { assertFails, assertPrints } from "./testing.ts";

const NAMES_OF_JAVASCRIPT = [
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "length",
  "size",
  "call",
  "apply",
  "__proto__",
  "__defineGetter__",
];
const NAMES_OF_PYTHON = ["__class__", "__dict__", "__init__", "__globals__", "__mro__", "_x"];
const VALUES = [
  "{}",
  "[]",
  "'a'",
  "('a'|safe)",
  "5",
  "2**70",
  "1.5",
  "true",
  "none",
  "(1,)",
  "range(2)",
  "{}.keys()",
];
const OBJECTS = [
  "range",
  "dict",
  "cycler",
  "cycler(1)",
  "joiner()",
  "namespace()",
  "'a'.upper",
  "[1]|map('upper')",
];

Deno.test("only attributes and methods of Python's types are there", () => {
  for (const value of [...VALUES, ...OBJECTS]) {
    for (const name of [...NAMES_OF_JAVASCRIPT, ...NAMES_OF_PYTHON]) {
      const template = `[{ (${value}).${name} is defined }][{ (${value})['${name}'] is defined }]` +
        `[{ (${value})|attr('${name}') is defined }]`;
      assert.equal(render(template), "FalseFalseFalse", `${value} ${name}`);
    }
  }
});

Deno.test("a key of any name is data", () => {
  for (const name of [...NAMES_OF_JAVASCRIPT, ...NAMES_OF_PYTHON]) {
    const template =
      `[% set d = {'${name}': 'data'} %][{ d['${name}'] }] [{ d.${name} }] [{ '${name}' in d }]`;
    assert.equal(render(template), "data data True", name);
  }
});

Deno.test("an attribute goes before an item, an item in brackets before an attribute", () => {
  assertPrints([
    ["{'items': 1}.items is callable", "True"],
    ["{'items': 1}['items']", "1"],
    ["{'a': 1}.a", "1"],
    ["{'a': 1}['keys'] is callable", "True"],
    ["[1, 2].1", "2"],
    ["[1, 2][-1]", "2"],
    ["'abc'[true]", "b"],
    ["'h😀'[1]", "😀"],
    ["{1: 'x'}[1.0]", "x"],
    ["[1]['0'] is defined", "False"],
    ["{}[[1]] is defined", "False"],
  ]);
});

Deno.test("what is missing tells where it was looked for", () => {
  assertFails([
    ["{}.a.b", "undefined", "'dict object' has no attribute 'a'"],
    ["{}[5].b", "undefined", "dict object has no element 5"],
    ["none.a.b", "undefined", "'None' has no attribute 'a'"],
    ["namespace().a.b", "undefined", "'jinja2.utils.Namespace object' has no attribute 'a'"],
    ["dict.a.b", "undefined", "'type object' has no attribute 'a'"],
    ["x.a", "undefined", "'x' is undefined"],
    ["'a'.b()", "undefined", "'str object' has no attribute 'b'"],
    ["5()", "type", "'int' object is not callable"],
  ]);
});
