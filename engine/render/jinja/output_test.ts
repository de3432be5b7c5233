import assert from "node:assert/strict";
import { LimitError } from "./limits.ts";
import { Capture, MainOutput, type Origin, templatePositionOf } from "./output.ts";

function at(line: number, name = "main", isData = false): Origin {
  return { place: { source: { name, text: "" }, line, column: 1 }, isData };
}

function data(line: number, name = "main"): Origin {
  return at(line, name, true);
}

Deno.test("MainOutput knows which template line began each line of the output", () => {
  const out = new MainOutput(1000);
  out.write("a: 1\nb: ", data(1));
  out.write("two\nlines", at(2));
  out.write("\nc: ", data(2));
  out.write("x\n", at(1, "included"));
  out.write("last", data(7));
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
  out.write("a\n", data(1));
  out.write("b\n", data(1, "included"));
  out.write("c", data(3));
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
