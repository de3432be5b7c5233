import { assertFails, assertPrints } from "../values/testing.ts";

Deno.test("case, title and trim", () => {
  assertPrints([
    ["'hello wORLD'|capitalize", "Hello world"],
    ["'it\\'s a-b (c)'|title", "It's A-B (C)"],
    ["'ß'|upper", "SS"],
    ["5|lower", "5"],
    ["'  a '|trim ~ '|'", "a|"],
    ["'xxa'|trim('x')", "a"],
    ["'a'|center(5) ~ '|'", "  a  |"],
    ["none|upper", "NONE"],
    ["'ab'|string ~ 1", "ab1"],
  ]);
});

Deno.test("replace and format", () => {
  assertPrints([
    ["'aaa'|replace('a','b',2)", "bba"],
    ["5|replace(5,6)", "6"],
    ["'%s=%05.1f'|format('a',2.5)", "a=002.5"],
    ["'%(a)s'|format(a=1)", "1"],
  ]);
  assertFails([
    ["'%s'|format(1,a=2)", "runtime", "can't handle positional and keyword arguments at the same time"],
    ["'a'|replace('b')", "type", "replace() missing 1 required positional argument: 'new'"],
  ]);
});

Deno.test("indent, truncate and wordwrap", () => {
  assertPrints([
    ["'a\\n\\nb'|indent", "a\n\n    b"],
    ["'a\\nb'|indent(2,true)", "  a\n  b"],
    ["'a\\n\\nb'|indent('> ',blank=true)", "a\n> \n> b"],
    ["'foo bar baz'|truncate(9)", "foo bar baz"],
    ["'foo bar baz'|truncate(9,true)", "foo bar baz"],
    ["'foo bar baz qux'|truncate(8,false,'!')", "foo!"],
    ["'foo bar baz'|truncate(7,leeway=0)", "foo..."],
    ["'The quick brown-fox jumps'|wordwrap(8)", "The\nquick\nbrown-\nfox\njumps"],
    ["'averylongword x'|wordwrap(5,false)", "averylongword\nx"],
    ["'ab-cd ef'|wordwrap(4,true,'|',false)", "ab-c|d ef"],
    ["'a b_c d-e'|wordcount", "4"],
  ]);
  assertFails([
    ["'abc'|truncate(1)", "runtime", "expected length >= 3, got 1"],
    ["'a'|wordwrap(0)", "runtime", "invalid width 0 (must be > 0)"],
    ["5|indent", "type", "unsupported operand type(s) for +: 'int' and 'str'"],
    ["[1]|wordwrap", "runtime", "'list' object has no attribute 'splitlines'"],
  ]);
});
