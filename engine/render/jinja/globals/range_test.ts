import { assertFails, assertPrints } from "../values/testing.ts";

Deno.test("range", () => {
  assertPrints([
    ["range(3)", "range(0, 3)"],
    ["range(5,1,-2)|list", "[5, 3]"],
    ["range(0)", "range(0, 0)"],
    ["range(2)[1]", "1"],
    ["range(3)|length", "3"],
  ]);
  assertFails([
    ["range(1,2,0)", "runtime", "range() arg 3 must not be zero"],
    ["range('a')", "type", "'str' object cannot be interpreted as an integer"],
    ["range()", "type", "range expected at least 1 argument, got 0"],
    ["range(1.5)", "type", "'float' object cannot be interpreted as an integer"],
  ]);
});
