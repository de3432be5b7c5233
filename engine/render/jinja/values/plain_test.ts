import assert from "node:assert/strict";
import { fromPlain, Markup, PyFloat, PyTuple, repr, toPlain, Undefined } from "./mod.ts";

Deno.test("plain data becomes values", () => {
  const data = { a: [1, 1.5, null, true, "x"], b: new Map([["10", 2n ** 70n], ["2", 3n]]) };
  assert.equal(
    repr(fromPlain(data)),
    "{'a': [1, 1.5, None, True, 'x'], 'b': {'10': 1180591620717411303424, '2': 3}}",
  );
});

Deno.test("values become plain data", () => {
  const value = [new PyTuple([1, new PyFloat(2)]), new Markup("<b>"), fromPlain({ k: 2n ** 70n }), null];
  assert.deepEqual(toPlain(value), [[1, 2], "<b>", new Map([["k", 2n ** 70n]]), null]);
});

Deno.test("what is no data is refused", () => {
  assert.throws(() => toPlain([new Undefined("lenient", { name: "x" })]), {
    message: /'Undefined' is no plain data/,
  });
});
