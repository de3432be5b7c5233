import { assertFails, assertPrints } from "../values/testing.ts";

Deno.test("sort is stable and goes by attributes", () => {
  assertPrints([
    ["['b','A','c']|sort", "['A', 'b', 'c']"],
    ["['b','A']|sort(case_sensitive=true)", "['A', 'b']"],
    ["users|sort(attribute='age,name')|map(attribute='name')|list", "['Al', 'al', 'bob']"],
    ["[1,2]|sort(true)", "[2, 1]"],
    ["[[2],[1]]|sort(attribute=0)", "[[1], [2]]"],
  ], {
    context: {
      "users": [{ "name": "bob", "age": 3 }, { "name": "Al", "age": 1 }, { "name": "al", "age": 3 }],
    },
  });
  assertFails([
    ["[1,'a']|sort", "type", "'<' not supported between instances of 'str' and 'int'"],
  ], {
    context: {
      "users": [{ "name": "bob", "age": 3 }, { "name": "Al", "age": 1 }, { "name": "al", "age": 3 }],
    },
  });
});

Deno.test("dictsort, unique and groupby", () => {
  assertPrints([
    ["{'b':1,'A':2}|dictsort", "[('A', 2), ('b', 1)]"],
    ["{'b':1,'A':2}|dictsort(by='value',reverse=true)", "[('A', 2), ('b', 1)]"],
    ["['a','A','b']|unique|list", "['a', 'b']"],
    ["[1,1.0,true]|unique|list", "[1]"],
    [
      "users|groupby('age')",
      "[(1, [{'name': 'Al', 'age': 1}]), (3, [{'name': 'bob', 'age': 3}, {'name': 'al', 'age': 3}])]",
    ],
    ["(users|groupby('age'))[0].grouper", "1"],
    ["(users|groupby('name'))[0].list|length", "2"],
    ["users|groupby('x',default=0)|length", "1"],
  ], {
    context: {
      "users": [{ "name": "bob", "age": 3 }, { "name": "Al", "age": 1 }, { "name": "al", "age": 3 }],
    },
  });
  assertFails([
    ["{}|dictsort(by='x')", "runtime", 'You can only sort by either "key" or "value"'],
    ["[[1]]|unique|list", "type", "unhashable type: 'list'"],
  ], {
    context: {
      "users": [{ "name": "bob", "age": 3 }, { "name": "Al", "age": 1 }, { "name": "al", "age": 3 }],
    },
  });
});
