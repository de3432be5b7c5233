import assert from "node:assert/strict";
import { joinMembers, jsonMembers } from "./json_text.ts";

Deno.test("members keep order, exact integers and nested texts", () => {
  const text =
    `{"2":1, "1":{"a}":"x\\"]","b":[{},"\\\\"]} ,\n "big":12345678901234567890,"t":true,"e":"","n":null}`;
  assert.deepEqual([...jsonMembers(text)], [
    ["2", "1"],
    ["1", `{"a}":"x\\"]","b":[{},"\\\\"]}`],
    ["big", "12345678901234567890"],
    ["t", "true"],
    ["e", `""`],
    ["n", "null"],
  ]);
  assert.equal(joinMembers(jsonMembers(`{ "a" : [1, 2] , "b\\n": {} }`)), `{"a":[1, 2],"b\\n":{}}`);
});

Deno.test("members agree with JSON.parse on generated objects", () => {
  let seed = 7;
  const next = (limit: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % limit;
  const text = () => Array.from({ length: next(6) }, () => `"\\{}[],: \nä`[next(11)]).join("");
  const value = (depth: number): unknown => {
    switch (next(depth > 3 ? 4 : 6)) {
      case 0:
        return next(1000) / 8;
      case 1:
        return text();
      case 2:
        return next(2) === 0;
      case 3:
        return null;
      case 4:
        return Array.from({ length: next(4) }, () => value(depth + 1));
      default:
        return Object.fromEntries(Array.from({ length: next(4) }, () => [`k${text()}`, value(depth + 1)]));
    }
  };
  for (let round = 0; round < 500; round++) {
    const object = { a: value(0), b: value(0), c: value(0) };
    const members = jsonMembers(JSON.stringify(object, null, round % 2));
    assert.deepEqual(
      Object.fromEntries(Array.from(members, ([name, part]) => [name, JSON.parse(part)])),
      object,
    );
    assert.deepEqual(JSON.parse(joinMembers(members)), object);
  }
});

Deno.test("a text that is no object is refused", () => {
  for (const text of ["", "[]", "null", `{"a":1`, `{"a`, `{a:1}`, `{"a":[}`]) {
    assert.throws(() => jsonMembers(text), SyntaxError, text);
  }
});
