import { assertFails, assertPrints } from "../testing.ts";

Deno.test("methods of case know title case, final sigma and folding", () => {
  assertPrints([
    ["'they\\'re bill\\'s'.title()", "They'Re Bill'S"],
    ["'straße'.upper()", "STRASSE"],
    ["'ΑΣ'.lower()", "ας"],
    ["'ΑΣΣ ας'.title()", "Ασς Ας"],
    ["'ǆabc ﬁx'.title()", "ǅabc Fix"],
    ["'hELLO'.capitalize()", "Hello"],
    ["'Straße ẞ Σς'.casefold()", "strasse ss σσ"],
    ["'ab CD ß'.swapcase()", "AB cd SS"],
    ["'İ'.lower()|length", "2"],
  ]);
});

Deno.test("methods that classify characters", () => {
  assertPrints([
    ["'²'.isdigit()", "True"],
    ["'²'.isdecimal()", "False"],
    ["'½'.isnumeric()", "True"],
    ["'一'.isnumeric()", "True"],
    ["'é1'.isalnum()", "True"],
    ["'\\u2003'.isspace()", "True"],
    ["''.isalpha()", "False"],
    ["'_a1'.isidentifier()", "True"],
    ["'1a'.isidentifier()", "False"],
    ["'a\\n'.isprintable()", "False"],
    ["'Ab Cd'.istitle()", "True"],
    ["'AB1'.isupper()", "True"],
    ["'é'.isascii()", "False"],
  ]);
});

Deno.test("split goes by runs of white space or by a separator", () => {
  assertPrints([
    ["' a  b c '.split()", "['a', 'b', 'c']"],
    ["'a,b,,c'.split(',')", "['a', 'b', '', 'c']"],
    ["' a b  c '.split(none,1)", "['a', 'b  c ']"],
    ["'a b c'.rsplit(none,1)", "['a b', 'c']"],
    ["'a,b,c'.rsplit(',',1)", "['a,b', 'c']"],
    ["'a,b'.split(',',0)", "['a,b']"],
    ["'a\\nb\\r\\nc\\x0bd\\n'.splitlines()", "['a', 'b', 'c', 'd']"],
    ["'a\\nb'.splitlines(true)", "['a\\n', 'b']"],
    ["'a.b.c'.partition('.')", "('a', '.', 'b.c')"],
    ["'a.b.c'.rpartition('.')", "('a.b', '.', 'c')"],
  ]);
  assertFails([
    ["'a'.split('')", "runtime", "empty separator"],
    ["'a'.split(1)", "type", "must be str or None, not int"],
  ]);
});

Deno.test("positions count characters", () => {
  assertPrints([
    ["'😀b😀'.find('😀',1)", "2"],
    ["'abcabc'.rfind('b')", "4"],
    ["'aaa'.count('aa')", "1"],
    ["'abc'.count('')", "4"],
    ["'abc'.startswith(('x','a'))", "True"],
    ["'abc'.endswith('c',-1)", "True"],
    ["'abc'.find('c',-2)", "2"],
  ]);
  assertFails([
    ["'abc'.index('z')", "runtime", "substring not found"],
    ["'abc'.startswith(1)", "type", "startswith first arg must be str or a tuple of str, not int"],
  ]);
});

Deno.test("text is brought to a width by characters", () => {
  assertPrints([
    ["'[' ~ 'ab'.center(5,'*') ~ ']'", "[**ab*]"],
    ["'[' ~ 'abc'.center(6) ~ ']'", "[ abc  ]"],
    ["'😀'.ljust(3,'-')", "😀--"],
    ["'-7'.zfill(5)", "-0007"],
    ["'a\\tb'.expandtabs(4)", "a   b"],
  ]);
  assertFails([
    ["'a'.center(3,'xx')", "type", "The fill character must be exactly one character long"],
    ["'a'.rjust('x')", "type", "'str' object cannot be interpreted as an integer"],
  ]);
});

Deno.test("replace, join, strip and translate", () => {
  assertPrints([
    ["'aaa'.replace('a','b',2)", "bba"],
    ["'abc'.replace('','-')", "-a-b-c-"],
    ["'-'.join(['a','b'])", "a-b"],
    ["'xxaxx'.strip('x')", "a"],
    ["'\\u00a0x '.strip()", "x"],
    ["'abc'.removeprefix('a').removesuffix('c')", "b"],
    ["'abc'.translate({97:'x',98:none})", "xc"],
  ]);
  assertFails([
    ["'-'.join([1])", "type", "sequence item 0: expected str instance, int found"],
  ]);
});

Deno.test("arguments are checked as for built-in methods", () => {
  assertFails([
    ["'a'.upper(1)", "type", "str.upper() takes no arguments (1 given)"],
    ["'a'.center()", "type", "center expected at least 1 argument, got 0"],
    ["'a'.center(fillchar='x')", "type", "str.center() takes no keyword arguments"],
    ["'a'.replace('b')", "type", "replace expected at least 2 arguments, got 1"],
  ]);
});
