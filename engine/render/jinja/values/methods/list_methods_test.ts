import { assertFails, assertPrints } from "../testing.ts";

Deno.test("a list can be searched and copied", () => {
  assertPrints([
    ["[3,1,3].index(3,1)", "2"],
    ["[1,1.0,true].count(1)", "3"],
    ["[1,2].copy()", "[1, 2]"],
  ]);
  assertFails([
    ["[1].index(5)", "runtime", "5 is not in list"],
    ["[1].index()", "type", "index expected at least 1 argument, got 0"],
  ]);
});

Deno.test("a list can be changed", () => {
  assertPrints([
    ["[[1,2].append(3)]", "[None]"],
    ["[3,1,2].pop()", "2"],
    ["[3,1,2].pop(0)", "3"],
  ]);
  assertFails([
    ["[].pop()", "runtime", "pop from empty list"],
    ["[1].pop(5)", "runtime", "pop index out of range"],
    ["[1].remove(2)", "runtime", "list.remove(x): x not in list"],
    ["[1,'a'].sort()", "type", "'<' not supported between instances of 'str' and 'int'"],
    ["[2,1].sort(1)", "type", "sort() takes no positional arguments"],
    ["[2].insert(1)", "type", "insert expected 2 arguments, got 1"],
  ]);
});

Deno.test("what is no method of Python is not there", () => {
  assertPrints([
    ["[1].push is defined", "False"],
    ["[1].length is defined", "False"],
    ["[1].map is defined", "False"],
    ["[1].at is defined", "False"],
  ]);
});
