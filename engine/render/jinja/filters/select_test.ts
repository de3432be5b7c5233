import { assertFails, assertPrints } from "../values/testing.ts";

Deno.test("map applies filters and follows attributes", () => {
  assertPrints([
    ["['a']|map('upper')|list", "['A']"],
    ["users|map(attribute='name')|list", "['bob', 'Al', 'al']"],
    ["[{'a':{'b':[5]}}]|map(attribute='a.b.0')|list", "[5]"],
    ["[{}]|map(attribute='a',default='?')|list", "['?']"],
    ["x|map('upper')|list", "[]"],
  ], {
    context: {
      "users": [{ "name": "bob", "age": 3 }, { "name": "Al", "age": 1 }, { "name": "al", "age": 3 }],
    },
  });
  assertFails([
    ["[1]|map|list", "runtime", "map requires a filter argument"],
    ["[1]|map('nope')|list", "runtime", "No filter named 'nope'."],
    ["[1]|map(attribute='a',x=1)|list", "runtime", "Unexpected keyword argument 'x'"],
  ], {
    context: {
      "users": [{ "name": "bob", "age": 3 }, { "name": "Al", "age": 1 }, { "name": "al", "age": 3 }],
    },
  });
});

Deno.test("select and reject by tests", () => {
  assertPrints([
    ["range(5)|select('odd')|list", "[1, 3]"],
    ["range(5)|reject('divisibleby',2)|list", "[1, 3]"],
    ["[0,1,'']|select|list", "[1]"],
    ["users|selectattr('age','gt',1)|map(attribute='name')|list", "['bob', 'al']"],
    ["users|rejectattr('age','equalto',3)|list|length", "1"],
  ], {
    context: {
      "users": [{ "name": "bob", "age": 3 }, { "name": "Al", "age": 1 }, { "name": "al", "age": 3 }],
    },
  });
  assertFails([
    ["[1]|select('nope')|list", "runtime", "No test named 'nope'."],
    ["[1]|selectattr|list", "runtime", "Missing parameter for attribute name"],
  ], {
    context: {
      "users": [{ "name": "bob", "age": 3 }, { "name": "Al", "age": 1 }, { "name": "al", "age": 3 }],
    },
  });
});

Deno.test("nothing fails before the result is gone over", () => {
  assertPrints([
    ["([1]|map('nope')) is defined", "True"],
  ]);
});
