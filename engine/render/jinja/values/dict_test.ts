import assert from "node:assert/strict";
import { PyDict, PyFloat, PyTuple, repr } from "./mod.ts";

Deno.test("keys are equal by value, and the first one stays", () => {
  const dict = new PyDict();
  dict.set(1, "a");
  dict.set(true, "b");
  dict.set(new PyFloat(1), "c");
  dict.set(new PyFloat(2 ** 60), "d");
  dict.set(2n ** 60n, "e");
  assert.equal(repr(dict), "{1: 'c', 1.152921504606847e+18: 'e'}");
});

Deno.test("keys that look alike stay apart", () => {
  const dict = new PyDict();
  const keys = [
    "1",
    1,
    null,
    "",
    "\0",
    "\0\0",
    "\0ti1:",
    new PyTuple([1]),
    new PyTuple(["1"]),
    new PyTuple([]),
  ];
  for (const [i, key] of keys.entries()) dict.set(key, i);
  assert.equal(dict.size, keys.length);
  for (const [i, key] of keys.entries()) assert.equal(dict.get(key), i);
});

Deno.test("keys keep the order in which they came", () => {
  const dict = new PyDict();
  for (const key of ["b", "10", "2", "a", "__proto__"]) dict.set(key, key);
  dict.delete("b");
  dict.set("b", 1);
  assert.deepEqual(Array.from(dict.keys()), ["10", "2", "a", "__proto__", "b"]);
  assert.equal(dict.get("__proto__"), "__proto__");
});

Deno.test("what can change is no key", () => {
  const dict = new PyDict();
  assert.throws(() => dict.set([1], 1), {
    name: "PyError",
    kind: "type",
    message: "unhashable type: 'list'",
  });
  assert.throws(() => dict.get(new PyTuple([new PyDict()])), { message: "unhashable type: 'dict'" });
});
