import assert from "node:assert/strict";
import { TemplateError } from "./errors.ts";
import { Lexer, type LexerOptions, normalise, type Token } from "./lexer.ts";

const DEFAULTS: LexerOptions = { trimBlocks: false, lstripBlocks: false, keepTrailingNewline: false };

function tokens(text: string, options: Partial<LexerOptions> = {}): Token[] {
  const all = { ...DEFAULTS, ...options };
  const lexer = new Lexer({ name: "t", text: normalise(text, all) }, all);
  const read: Token[] = [];
  for (let token = lexer.next(); token.type !== "eof"; token = lexer.next()) read.push(token);
  return read;
}

function data(text: string, options: Partial<LexerOptions> = {}): string {
  return tokens(text, options).map(({ type, value }) =>
    type === "data" ? value : type === "block_end" ? "|" : ""
  )
    .join("");
}

function failure(text: string): { line: number; column: number; detail: string } {
  try {
    tokens(text);
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  return assert.fail("no error");
}

Deno.test("Lexer parts text, tags and what is in them", () => {
  assert.deepEqual(
    tokens("a [{ x.y|f(1, 2.5) }] b").map(({ type, value }) => [type, value]),
    [
      ["data", "a "],
      ["variable_begin", "[{"],
      ["name", "x"],
      ["dot", "."],
      ["name", "y"],
      ["pipe", "|"],
      ["name", "f"],
      ["lparen", "("],
      ["integer", "1"],
      ["comma", ","],
      ["float", "2.5"],
      ["rparen", ")"],
      ["variable_end", "}]"],
      ["data", " b"],
    ],
  );
});

Deno.test("Lexer reads numbers as Python writes them", () => {
  const values = (text: string): string[] =>
    tokens(`[{ ${text} }]`).slice(1, -1).map(({ type, value }) => `${type} ${value}`);
  assert.deepEqual(values("1_000 0x1F 0b11 0o17 00"), [
    "integer 1000",
    "integer 0x1F",
    "integer 0b11",
    "integer 0o17",
    "integer 00",
  ]);
  assert.deepEqual(values("1.5 1e3 1.5E-3 1_0.2_5"), [
    "float 1.5",
    "float 1e3",
    "float 1.5E-3",
    "float 10.25",
  ]);
  assert.deepEqual(values("x.1.5"), ["name x", "dot .", "integer 1", "dot .", "integer 5"]);
});

Deno.test("Lexer ends a tag only at its own end and only when no bracket is open", () => {
  assert.equal(data("[% set a = [{'k': 1}, {'k': [2]}] %]b"), "|b");
  assert.deepEqual(tokens("[{ {'a': {'b': 1}} }]").at(-1)?.type, "variable_end");
});

Deno.test("Lexer gives each token its line and column, also after line ends that were trimmed", () => {
  const places = tokens("a\r\n[%- if x -%]\n\n  [{ y }]").map(({ type, line, column }) =>
    `${type} ${line}:${column}`
  );
  assert.deepEqual(places, [
    "data 1:1",
    "block_begin 2:1",
    "name 2:5",
    "name 2:8",
    "block_end 2:10",
    "variable_begin 4:3",
    "name 4:6",
    "variable_end 4:8",
  ]);
});

Deno.test("Lexer trims white space by the marks of tags", () => {
  assert.equal(data("a \n [%- x -%] \n b"), "a|b");
  assert.equal(data("a \n [%+ x +%] \n b", { trimBlocks: true, lstripBlocks: true }), "a \n | \n b");
  assert.equal(data("a [#- c -#] b"), "ab");
});

Deno.test("Lexer trims by trim_blocks and lstrip_blocks", () => {
  const both = { trimBlocks: true, lstripBlocks: true };
  assert.equal(data("  [% x %]\n  [% y %]\nb", both), "||b");
  assert.equal(data("a  [% x %]\n\nb", both), "a  |\nb");
  assert.equal(data("a\n  [# c #]\nb", both), "a\nb");
  assert.equal(data("a\n  [{ x }]\nb", both), "a\n  \nb");
});

Deno.test("Lexer takes long runs of blanks in stride", () => {
  const blanks = " ".repeat(200_000);
  assert.equal(data(`${blanks}a${blanks}[%- x %]b`), `${blanks}a|b`);
});

Deno.test("Lexer leaves raw blocks as they stand", () => {
  assert.equal(data("[% raw %][{ a }] [# b #] [% c %][% endraw %]d"), "[{ a }] [# b #] [% c %]d");
  assert.equal(data("a [%- raw -%] b [%- endraw -%] c"), "abc");
});

Deno.test("Lexer drops the last line end unless it is to be kept", () => {
  assert.equal(data("a\n\n"), "a\n");
  assert.equal(data("a\r\n", { keepTrailingNewline: true }), "a\n");
});

Deno.test("Lexer refuses what it cannot read, at its place", () => {
  assert.deepEqual(pick(failure("a\n[{ 'x }]")), [2, 4, `unexpected char "'" at 5`]);
  assert.deepEqual(pick(failure("[{ (x] }]")), [1, 6, "unexpected ']', expected ')'"]);
  assert.deepEqual(pick(failure("[{ x } ")), [1, 6, "unexpected '}'"]);
  assert.deepEqual(pick(failure("a\n [# b")), [2, 2, "Missing end of comment tag"]);
  assert.deepEqual(pick(failure("[% raw %]a")), [1, 10, "Missing end of raw directive"]);
});

function pick(error: { line: number; column: number; detail: string }): [number, number, string] {
  return [error.line, error.column, error.detail];
}
