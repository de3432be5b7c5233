import { assertFails, assertPrints } from "./testing.ts";

Deno.test("fields are filled by position, name, attribute and item", () => {
  assertPrints([
    ["'{} {}'.format(1,'a')", "1 a"],
    ["'{1}{0}'.format(1,2)", "21"],
    ["'{a}{b}'.format(a=1,b=2)", "12"],
    ["'{0[k]} {0[n][0]}'.format(d)", "v 7"],
    ["'{0.real}'.format(5)", "5"],
    ["'{{}}'.format()", "{}"],
    ["'{!r} {!s} {!a}'.format('é','é','é')", "'é' é '\\xe9'"],
    ["'{:{}}|'.format('a',3)", "a  |"],
    ["'{:>{w}}'.format('a',w=3)", "  a"],
    ["'{a}'.format_map({'a':1})", "1"],
  ], { context: { "d": { "k": "v", "n": [7] } } });
});

Deno.test("what does not fit is told", () => {
  assertFails([
    ["'{}'.format()", "runtime", "Replacement index 0 out of range for positional args tuple"],
    ["'{a}'.format()", "runtime", "'a'"],
    [
      "'{0}{}'.format(1,2)",
      "runtime",
      "cannot switch from manual field specification to automatic field numbering",
    ],
    ["'{'.format()", "runtime", "Single '{' encountered in format string"],
    ["'}'.format()", "runtime", "Single '}' encountered in format string"],
    ["'{0.x}'.format(1)", "runtime", "'int' object has no attribute 'x'"],
    ["'{0[x]}'.format({})", "runtime", "'x'"],
    ["'{!x}'.format(1)", "runtime", "Unknown conversion specifier x"],
    ["'{:{:{}}}'.format(1,2,3)", "runtime", "Max string recursion exceeded"],
    ["'{.}'.format(1)", "runtime", "Empty attribute in format string"],
    ["'{0[0]x}'.format([1])", "runtime", "Only '.' or '[' may follow ']' in format field specifier"],
  ]);
});

Deno.test("methods and inner workings cannot be reached", () => {
  assertFails([
    ["'{0.foo}'.format('a')", "runtime", "'str' object has no attribute 'foo'"],
  ]);
});
