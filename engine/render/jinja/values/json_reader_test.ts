import assert from "node:assert/strict";
import { fromJson, repr } from "./mod.ts";

Deno.test("fromJson keeps order, large integers and floats", () => {
  const text =
    `{"b": 1, "10": [1.0, 1e2, -0, 12345678901234567890, true, null], "2": "a\\u00e9\\n\\"", "__proto__": {}, "": -1.5}`;
  assert.equal(
    repr(fromJson(text)),
    `{'b': 1, '10': [1.0, 100.0, 0, 12345678901234567890, True, None], '2': 'aé\\n"', '__proto__': {}, '': -1.5}`,
  );
});

Deno.test("fromJson takes blanks and empty collections", () => {
  assert.equal(repr(fromJson(" [ ] ")), "[]");
  assert.equal(repr(fromJson('\n{ "a" :\t{ } , "b":[ 1 , 2 ] }\r\n')), "{'a': {}, 'b': [1, 2]}");
});

Deno.test("fromJson refuses what is no JSON", () => {
  for (
    const text of [
      "",
      "{",
      "[1,]",
      "{'a':1}",
      "01",
      "1 2",
      "tru",
      '"a',
      '{"a" 1}',
      "nul",
      '"\\x"',
      '"a\nb"',
      "[1}",
      "-",
    ]
  ) {
    assert.throws(() => fromJson(text), SyntaxError, text);
  }
});
