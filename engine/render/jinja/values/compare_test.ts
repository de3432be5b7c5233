import assert from "node:assert/strict";
import { eq, lt } from "./compare.ts";
import { hashKey } from "./hash.ts";
import { assertFails, assertPrints } from "./testing.ts";
import { PyTuple, type PyValue } from "./value.ts";

Deno.test("numbers are equal by value, texts by characters", () => {
  assertPrints([
    ["1 == 1.0", "True"],
    ["true == 1", "True"],
    ["2**60 == 2.0**60", "True"],
    ["2**60 + 1 == 2.0**60", "False"],
    ["'a' == 'a'|safe", "True"],
    ["[1,(2,)] == [1.0,(2.0,)]", "True"],
    ["[1] == (1,)", "False"],
    ["{'a':1,'b':2} == {'b':2.0,'a':1}", "True"],
    ["none == false", "False"],
    ["range(3) == range(0,3,1)", "True"],
    ["{'a':1}.keys() == {'a':2}.keys()", "True"],
    ["x == y", "True"],
    ["'1' == 1", "False"],
  ]);
});

Deno.test("order goes by value, code points and items", () => {
  assertPrints([
    ["1 < 1.5 < 2**70", "True"],
    ["'Z' < 'a'", "True"],
    ["'￿' < '😀'", "True"],
    ["[1,2] < [1,3]", "True"],
    ["(1,) < (1,0)", "True"],
    ["[2] > [1,5]", "True"],
    ["true < 2", "True"],
  ]);
  assertFails([
    ["1 < 'a'", "type", "'<' not supported between instances of 'int' and 'str'"],
    ["[1] < (1,)", "type", "'<' not supported between instances of 'list' and 'tuple'"],
    ["none < 1", "type", "'<' not supported between instances of 'NoneType' and 'int'"],
    ["{} < {}", "type", "'<' not supported between instances of 'dict' and 'dict'"],
    ["x < 1", "undefined", "'x' is undefined"],
    ["1 >= x", "undefined", "'x' is undefined"],
    ["[1,'a'] < [1,2]", "type", "'<' not supported between instances of 'str' and 'int'"],
  ]);
});

Deno.test("keys and items have the order of sets", () => {
  assertPrints([
    ["{}.keys() >= {}.keys()", "True"],
    ["{}.keys() > {}.keys()", "False"],
    ["{'a':1}.keys() < {'a':2,'b':3}.keys()", "True"],
    ["{'a':1}.items() <= {'a':1.0}.items()", "True"],
    ["{'a':1}.items() <= {'a':2,'b':3}.items()", "False"],
    ["{'a':1,'b':2}.keys() >= {'b':0}.keys()", "True"],
  ]);
});

Deno.test("values that double in themselves are compared up to a bound, and are no keys beyond one", () => {
  const doubled = (make: (half: PyValue) => PyValue) => {
    let value: PyValue = 1;
    for (let i = 0; i < 40; i++) value = make(value);
    return value;
  };
  const list = () => doubled((half) => [half, half]);
  const tuple = doubled((half) => new PyTuple([half, half]));
  assert.throws(() => eq(list(), list()), /more than the limit of 1000000 steps/);
  assert.throws(() => lt(list(), list()), /more than the limit of 1000000 steps/);
  assert.throws(() => hashKey(tuple), /longer than the limit/);
});
