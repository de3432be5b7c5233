import { assertFails, assertPrints } from "../values/testing.ts";

Deno.test("tojson sorts keys and escapes", () => {
  assertPrints([
    ["{'b':1,'a':[1,2.5,none,true]}|tojson", '{"a": [1, 2.5, null, true], "b": 1}'],
    [
      "'<a href=\\'x\\'>&é😀\\n'|tojson",
      '"\\u003ca href=\\u0027x\\u0027\\u003e\\u0026\\u00e9\\ud83d\\ude00\\n"',
    ],
    ["{'a':[],'b':{}, 'c':[1]}|tojson(2)", '{\n  "a": [],\n  "b": {},\n  "c": [\n    1\n  ]\n}'],
    ["[1]|tojson(indent='-')", "[\n-1\n]"],
    ["{1:'a',2.5:'b'}|tojson", '{"1": "a", "2.5": "b"}'],
    ["{none:1}|tojson", '{"null": 1}'],
    ["(1,2)|tojson", "[1, 2]"],
    ["1e400|string|tojson", '"inf"'],
    ["[1e16, -0.0]|tojson", "[1e+16, -0.0]"],
  ]);
  assertFails([
    ["[x]|tojson", "type", "Object of type Undefined is not JSON serializable"],
    ["{(1,2):1}|tojson", "type", "keys must be str, int, float, bool or None, not tuple"],
    ["{'a':1,1:2}|tojson", "type", "'<' not supported between instances of 'int' and 'str'"],
    ["range(2)|tojson", "type", "Object of type range is not JSON serializable"],
  ]);
});
