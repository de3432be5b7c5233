import assert from "node:assert/strict";
import { canonicalJson, digestOf, parseJson, stringifyJson } from "./mod.ts";

Deno.test("integers beyond 2^53 pass through exactly, floats and small integers stay numbers", () => {
  const text = '{"big":12345678901234567890,"small":7,"float":1.5,"text":"12345678901234567890"}';
  assert.deepEqual(parseJson(text), {
    big: 12345678901234567890n,
    small: 7,
    float: 1.5,
    text: "12345678901234567890",
  });
  assert.equal(stringifyJson(parseJson(text)), text);
});

Deno.test("a key named __proto__ is data", () => {
  const value = parseJson('{"__proto__":{"a":1}}');
  assert.equal(stringifyJson(value), '{"__proto__":{"a":1}}');
  assert.equal(canonicalJson(value), '{"__proto__":{"a":1}}');
  assert.equal(Reflect.get({}, "a"), undefined);
});

Deno.test("canonical JSON does not depend on the order of keys, at any depth", () => {
  assert.equal(canonicalJson({ b: [{ d: 1, c: 2 }], a: null }), '{"a":null,"b":[{"c":2,"d":1}]}');
  assert.equal(digestOf({ a: 1, b: 2 }), digestOf({ b: 2, a: 1 }));
  assert.notEqual(digestOf({ a: [1, 2] }), digestOf({ a: [2, 1] }));
});
