import { assertFails, assertPrints } from "./testing.ts";

Deno.test("in asks texts, sequences and keys", () => {
  assertPrints([
    ["'b' in 'abc'", "True"],
    ["1 in [1.0]", "True"],
    ["'a' in {'a':1}", "True"],
    ["1 in {'a':1}.values()", "True"],
    ["3 in range(5)", "True"],
    ["'' in ''", "True"],
    ["1 in x", "False"],
    ["2 not in (1,)", "True"],
  ]);
  assertFails([
    ["1 in 'a'", "type", "'in <string>' requires string as left operand, not int"],
    ["1 in 5", "type", "argument of type 'int' is not iterable"],
    ["[1] in {}", "type", "unhashable type: 'list'"],
    ["x in 'a'", "type", "'in <string>' requires string as left operand, not Undefined"],
  ]);
});
