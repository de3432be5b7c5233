import assert from "node:assert/strict";
import type { Place } from "./errors.ts";
import { LimitError } from "./limits.ts";
import { Capture, MainOutput, templatePositionOf } from "./output.ts";

function at(line: number, name = "main"): Place {
  return { source: { name, text: "" }, line, column: 1 };
}

Deno.test("MainOutput knows which template line began each line of the output", () => {
  const out = new MainOutput(1000);
  out.writeData("a: 1\nb: ", at(1));
  out.write("two\nlines", at(2));
  out.writeData("\nc: ", at(2));
  out.write("x\n", at(1, "included"));
  out.writeData("last", at(7));
  const { text, lines } = out.finish();
  assert.equal(text, "a: 1\nb: two\nlines\nc: x\nlast");
  assert.deepEqual([1, 2, 3, 4, 5, 6].map((line) => templatePositionOf(lines, line)), [
    { template: "main", line: 1 },
    { template: "main", line: 2 },
    { template: "main", line: 2 },
    { template: "main", line: 3 },
    { template: "main", line: 7 },
    undefined,
  ]);
});

Deno.test("MainOutput names the included template whose text begins a line", () => {
  const out = new MainOutput(1000);
  out.writeData("a\n", at(1));
  out.writeData("b\n", at(1, "included"));
  out.writeData("c", at(3));
  const { lines } = out.finish();
  assert.deepEqual([2, 3].map((line) => templatePositionOf(lines, line)), [
    { template: "included", line: 1 },
    { template: "main", line: 3 },
  ]);
});

Deno.test("outputs refuse to grow past their limit, counted in bytes at the end", () => {
  const out = new MainOutput(4);
  out.write("éé", at(1));
  assert.equal(out.finish().text, "éé");
  out.write("é", at(1));
  assert.throws(() => out.finish(), LimitError);
  assert.throws(() => out.write("12", at(1)), LimitError);
  assert.throws(() => new Capture(4).write("12345"), LimitError);
});
