import assert from "node:assert/strict";
import { parseTemplate } from "../parser/mod.ts";
import type { Statement } from "../tree.ts";
import { analyse, analyseLoop, Symbols } from "./symbols.ts";
import { undeclaredNames } from "./walk.ts";

const OPTIONS = { trimBlocks: false, lstripBlocks: false, keepTrailingNewline: false };

function parse(text: string): readonly Statement[] {
  return parseTemplate({ name: "t", text }, OPTIONS).body;
}

function rootOf(text: string): Symbols {
  const symbols = new Symbols(undefined);
  analyse(symbols, parse(text));
  return symbols;
}

Deno.test("a name that is read first comes from the context, one that is written first from nowhere", () => {
  assert.deepEqual([...rootOf("[% set a = b %][{ a }]").loads], [
    ["0:b", { from: "context", name: "b" }],
    ["0:a", { from: "nothing" }],
  ]);
});

Deno.test("a name that only a branch writes begins with the value from outside", () => {
  const root = rootOf("[% if c %][% set a = 1 %][% endif %][{ a }]");
  assert.deepEqual(root.loads.get("0:a"), { from: "context", name: "a" });
});

Deno.test("a loop's body has variables of its own, which begin with those around it", () => {
  const body = parse("[{ a }][% for x in l %][% set a = x %][{ y }][% endfor %]");
  const root = new Symbols(undefined);
  analyse(root, body);
  const loop = body.find((statement) => statement.kind === "for");
  assert(loop?.kind === "for");
  const inside = new Symbols(root);
  analyseLoop(inside, loop, "body");
  assert.deepEqual([...inside.loads], [
    ["1:x", { from: "parameter" }],
    ["1:a", { from: "variable", variable: "0:a" }],
    ["1:y", { from: "context", name: "y" }],
  ]);
  assert.equal(inside.find("l"), "0:l");
  assert.deepEqual([...inside.written().keys()], ["x", "a"]);
});

Deno.test("undeclaredNames finds what is read before it is written, and does not look into blocks", () => {
  assert(undeclaredNames(parse("[{ loop.index }]"), ["loop"]).has("loop"));
  assert(!undeclaredNames(parse("[% set loop = 1 %][{ loop }]"), ["loop"]).has("loop"));
  assert(!undeclaredNames(parse("[% block b %][{ loop }][% endblock %]"), ["loop"]).has("loop"));
});
