import assert from "node:assert/strict";
import { TemplateError } from "../errors.ts";
import type { Expr, Statement } from "../tree.ts";
import { parseTemplate } from "./mod.ts";

const OPTIONS = { trimBlocks: false, lstripBlocks: false, keepTrailingNewline: false };

function parse(text: string): readonly Statement[] {
  return parseTemplate({ name: "t", text }, OPTIONS).body;
}

function expression(text: string): string {
  const [output] = parse(`[{ ${text} }]`);
  const item = output?.kind === "output" ? output.items[0] : undefined;
  return item === undefined || item.kind === "data" ? assert.fail("no expression") : show(item);
}

/** An expression with every operation in brackets. */
function show(expr: Expr): string {
  switch (expr.kind) {
    case "const":
      return JSON.stringify(expr.value);
    case "name":
      return expr.name;
    case "binary":
      return `(${expr.operator} ${show(expr.left)} ${show(expr.right)})`;
    case "and":
    case "or":
      return `(${expr.kind} ${show(expr.left)} ${show(expr.right)})`;
    case "not":
    case "neg":
    case "pos":
      return `(${expr.kind} ${show(expr.operand)})`;
    case "concat":
    case "tuple":
    case "list":
      return `(${[expr.kind, ...expr.items.map(show)].join(" ")})`;
    case "compare":
      return `(compare ${show(expr.first)} ${
        expr.rest.map((r) => `${r.operator} ${show(r.operand)}`).join(" ")
      })`;
    case "condition":
      return `(if ${show(expr.test)} ${show(expr.then)} ${
        expr.otherwise === undefined ? "-" : show(expr.otherwise)
      })`;
    case "filter":
    case "test":
      return `(${expr.kind} ${expr.name} ${
        [expr.input, ...expr.args.positional].map((e) => e ? show(e) : "-").join(" ")
      })`;
    case "getattr":
      return `(. ${show(expr.object)} ${expr.name})`;
    case "call":
      return `(call ${show(expr.callee)})`;
    default:
      return `(${expr.kind})`;
  }
}

function failure(text: string): TemplateError {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  return assert.fail("no error");
}

Deno.test("expressions bind as in Jinja2", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["1 + 2 * 3", "(add 1 (mul 2 3))"],
    ["1 + 2 ~ 3", "(add 1 (concat 2 3))"],
    ["2 ** 3 ** 2", "(pow (pow 2 3) 2)"],
    ["-2 ** 2", "(pow (neg 2) 2)"],
    ["-x|f", "(filter f (neg x))"],
    ["x.y|f is g", "(test g (filter f (. x y)))"],
    ["not a in b", "(not (compare a in b))"],
    ["a not in b", "(compare a notin b)"],
    ["a < b <= c", "(compare a lt b lteq c)"],
    ["a or b and not c", "(or a (and b (not c)))"],
    ["a if b else c if d", "(if b a (if d c -))"],
    ["x is divisibleby 3", "(test divisibleby x 3)"],
    ["x is not none", "(not (test none x))"],
    ["1, 2", "(tuple 1 2)"],
    ["(1,)", "(tuple 1)"],
    ["()", "(tuple)"],
    ["'a' 'b'", '"ab"'],
    ["true and None", "(and true null)"],
  ];
  for (const [text, tree] of cases) assert.equal(expression(text), tree, text);
});

Deno.test("a wrong or missing end is told with the tags that are open", () => {
  assert.match(
    failure("[% if a %][% for b in c %][% endif %]").detail,
    /nesting mistake.*'endfor' or 'else'.*'for'/,
  );
  assert.match(
    failure("a\n[% if a %]").detail,
    /Unexpected end of template.*'elif' or 'else' or 'endif'.*'if'/,
  );
  assert.match(failure("[% fro a in b %]").detail, /unknown tag 'fro'/);
  assert.match(failure("[% fro a in b %]").message, /Did you mean 'for'\?/);
});

Deno.test("text that looks like a tag is told how to be kept", () => {
  const stray = failure("a\nformat = [%(levelname)s] x");
  assert.equal(stray.line, 2);
  assert.match(stray.message, /\[% raw %\]/);
  const flow = failure("a\ntolerations: [{key: a, operator: Exists}]");
  assert.equal(flow.line, 2);
  assert.match(flow.message, /'\[ \{' with a blank/);
  assert.match(failure("args: [{}]").message, /'\[ \{' with a blank/);
  assert.match(failure("date: [%H:%M]").message, /\[% raw %\]/);
  assert.match(failure("list: [# one").message, /\[% raw %\]/);
});

Deno.test("nesting and chains are bounded", () => {
  const deep = 1000;
  assert.match(failure(`[{ ${"(".repeat(deep)}1${")".repeat(deep)} }]`).detail, /levels deep/);
  assert.match(failure(`[{ ${"[".repeat(deep)}${"]".repeat(deep)} }]`).detail, /levels deep/);
  assert.match(failure(`[{ ${"-".repeat(deep)}1 }]`).detail, /levels deep/);
  assert.match(failure("[% if a %]".repeat(deep)).detail, /levels deep/);
  assert.match(failure(`[{ 1${" + 1".repeat(2 * deep)} }]`).detail, /operations in one chain/);
  assert.match(failure(`[{ x${"|f".repeat(2 * deep)} }]`).detail, /operations in one chain/);
});
