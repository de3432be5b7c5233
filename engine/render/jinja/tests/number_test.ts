import { assertFails, assertPrints } from "../values/testing.ts";

Deno.test("numbers", () => {
  assertPrints([
    ["[1 is odd, 2 is even, -3 is odd, 9 is divisibleby(3), 2.0 is even]", "[True, True, True, True, True]"],
  ]);
  assertFails([
    ["'a' is odd", "type", "not all arguments converted during string formatting"],
    ["1 is divisibleby(0)", "runtime", "integer modulo by zero"],
    ["none is even", "type", "unsupported operand type(s) for %: 'NoneType' and 'int'"],
    ["1 is divisibleby", "type", "divisibleby() missing 1 required positional argument: 'num'"],
  ]);
});
