import { assertFails, assertPrints } from "./testing.ts";

Deno.test("values print as in Python", () => {
  assertPrints([
    ["[1, 'a', none, true, 2.5]", "[1, 'a', None, True, 2.5]"],
    ["{'a': [1], 2: (3,)}", "{'a': [1], 2: (3,)}"],
    ["()", "()"],
    ["(1,)", "(1,)"],
    ["['it\\'s', '\"', '\\'\"']", "[\"it's\", '\"', '\\'\"']"],
    [
      "['a\\n\\t\\\\', '\\x00\\x7f', '\\u00a0\\u200b', 'é😀']",
      "['a\\n\\t\\\\', '\\x00\\x7f', '\\xa0\\u200b', 'é😀']",
    ],
    [
      "[1e16, 1e-5, 1e15, 0.0001, 123456789.125, 5e-324]",
      "[1e+16, 1e-05, 1000000000000000.0, 0.0001, 123456789.125, 5e-324]",
    ],
    ["[-0.0, 1e22, 1e300*1e10]", "[-0.0, 1e+22, inf]"],
    ["[x]", "[Undefined]"],
    ["x", ""],
    ["range(3)", "range(0, 3)"],
    ["[range(1,5,2)]", "[range(1, 5, 2)]"],
    ["['a'|safe]", "[Markup('a')]"],
    ["none", "None"],
    ["namespace(a=1)", "<Namespace {'a': 1}>"],
    ["{'k': {}}.items()", "dict_items([('k', {})])"],
    ["10**400 * 10**400 == 10**800", "True"],
  ]);
});

Deno.test("integers with too many digits are refused", () => {
  assertFails([
    ["10**5000", "runtime", "Exceeds the limit (4300 digits) for integer string conversion"],
  ]);
});
