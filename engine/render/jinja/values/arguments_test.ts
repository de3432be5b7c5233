import assert from "node:assert/strict";
import { bindArguments, bindPositional } from "./arguments.ts";
import type { PyValue } from "./mod.ts";

const signature = { name: "f", parameters: ["a", ["b", 2], ["c", null]] } as const;

function bind(args: readonly PyValue[], kwargs: Readonly<Record<string, PyValue>> = {}): readonly PyValue[] {
  return bindArguments(signature, args, new Map(Object.entries(kwargs)));
}

Deno.test("arguments are sorted into parameters by position and name", () => {
  assert.deepEqual(bind([1]), [1, 2, null]);
  assert.deepEqual(bind([1], { c: 3 }), [1, 2, 3]);
  assert.deepEqual(bind([], { b: 5, a: null }), [null, 5, null]);
});

Deno.test("what does not fit is told in the words of Python", () => {
  const message = (call: () => unknown, text: string): void =>
    assert.throws(call, { name: "PyError", kind: "type", message: text });
  message(() => bind([]), "f() missing 1 required positional argument: 'a'");
  message(() => bind([1, 2, 3, 4]), "f() takes from 1 to 3 positional arguments but 4 were given");
  message(() => bind([1], { a: 1 }), "f() got multiple values for argument 'a'");
  message(() => bind([1], { x: 1 }), "f() got an unexpected keyword argument 'x'");
  message(() => bindPositional(signature, [], new Map()), "f expected at least 1 argument, got 0");
  message(() => bindPositional(signature, [1], new Map([["b", 1]])), "f() takes no keyword arguments");
  message(
    () => bindPositional({ name: "g", parameters: [] }, [1], new Map()),
    "g() takes no arguments (1 given)",
  );
});
