import { assertFails, assertPrints } from "../testing.ts";

Deno.test("keys, values and items are views", () => {
  assertPrints([
    ["{'a':1}.keys()", "dict_keys(['a'])"],
    ["{'a':1}.values()", "dict_values([1])"],
    ["{'a':1}.items()", "dict_items([('a', 1)])"],
    ["{'b':1,'a':2}.keys()|list", "['b', 'a']"],
    ["('a',1) in {'a':1}.items()", "True"],
    ["{'a':1}.keys() - ['a']", "set()"],
    ["{'a':1}.items().isdisjoint([1])", "True"],
  ]);
});

Deno.test("get, pop and setdefault", () => {
  assertPrints([
    ["{'a':1}.get('b')", "None"],
    ["{'a':1}.get('b',2)", "2"],
    ["{1:'x'}.get(1.0)", "x"],
    ["{'a':1}.pop('a')", "1"],
    ["{'a':1}.pop('b',3)", "3"],
    ["{'a':1}.popitem()", "('a', 1)"],
    ["{}.setdefault('k',[])", "[]"],
  ]);
  assertFails([
    ["{}.pop('b')", "runtime", "'b'"],
    ["{}.pop()", "type", "pop expected at least 1 argument, got 0"],
    ["{}.popitem()", "runtime", "'popitem(): dictionary is empty'"],
    ["{}.get([1])", "type", "unhashable type: 'list'"],
    ["{}.get(key=1)", "type", "dict.get() takes no keyword arguments"],
  ]);
});

Deno.test("update and fromkeys", () => {
  assertPrints([
    ["dict([('a',1)],b=2)", "{'a': 1, 'b': 2}"],
    ["dict.fromkeys('ab',0)", "{'a': 0, 'b': 0}"],
  ]);
  assertFails([
    ["{}.update([1])", "type", "cannot convert dictionary update sequence element #0 to a sequence"],
    ["{}.update(['abc'])", "runtime", "dictionary update sequence element #0 has length 3"],
    ["{}.update(1,2)", "type", "update expected at most 1 argument, got 2"],
  ]);
});
