import { assertFails, assertPrints } from "../values/testing.ts";

Deno.test("ends, length and lists", () => {
  assertPrints([
    ["[1,2]|first", "1"],
    ["'abc'|last", "c"],
    ["[]|first", ""],
    ["range(3)|last", "2"],
    ["'abc'|list", "['a', 'b', 'c']"],
    ["{'a':1}|list", "['a']"],
    ["'añ😀'|length", "3"],
    ["[1,2,3]|reverse|list", "[3, 2, 1]"],
    ["'abc'|reverse", "cba"],
  ]);
  assertFails([
    ["5|length", "type", "object of type 'int' has no len()"],
    ["(1,2)|map('string')|last", "type", "'generator' object is not reversible"],
  ]);
});

Deno.test("join, sum, min and max", () => {
  assertPrints([
    ["[1,'a',none]|join('-')", "1-a-None"],
    ["users|join(', ','name')", "bob, Al, al"],
    ["[1,2.5]|sum", "3.5"],
    ["users|sum('age')", "7"],
    ["[[1],[2]]|sum(start=[])", "[1, 2]"],
    ["['b','A']|min", "A"],
    ["['b','A']|max(true)", "b"],
    ["users|max(attribute='age')", "{'name': 'bob', 'age': 3}"],
    ["[]|min", ""],
  ], {
    context: {
      "users": [{ "name": "bob", "age": 3 }, { "name": "Al", "age": 1 }, { "name": "al", "age": 3 }],
    },
  });
  assertFails([
    ["['a']|sum", "type", "unsupported operand type(s) for +: 'int' and 'str'"],
    ["[1,'a']|max", "type", "'>' not supported between instances of 'str' and 'int'"],
  ], {
    context: {
      "users": [{ "name": "bob", "age": 3 }, { "name": "Al", "age": 1 }, { "name": "al", "age": 3 }],
    },
  });
});

Deno.test("batch and slice", () => {
  assertPrints([
    ["range(5)|batch(2)|list", "[[0, 1], [2, 3], [4]]"],
    ["range(5)|batch(2,'x')|list", "[[0, 1], [2, 3], [4, 'x']]"],
    ["range(5)|slice(3)|list", "[[0, 1], [2, 3], [4]]"],
    ["range(5)|slice(3,'x')|list", "[[0, 1], [2, 3], [4, 'x']]"],
  ]);
  assertFails([
    ["[1]|slice(0)|list", "runtime", "integer division or modulo by zero"],
  ]);
});
