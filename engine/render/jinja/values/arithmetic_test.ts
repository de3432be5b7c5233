import { assertFails, assertPrints } from "./testing.ts";

Deno.test("integers are exact and of any size", () => {
  assertPrints([
    ["2**53 + 1", "9007199254740993"],
    ["2**64 - 1", "18446744073709551615"],
    ["-7 // 2", "-4"],
    ["-7 % 3", "2"],
    ["7 % -3", "-2"],
    ["(2**70) // 3", "393530540239137101141"],
    ["10**20 * 10**20", "10000000000000000000000000000000000000000"],
    ["0 * -5", "0"],
    ["true + true", "2"],
    ["-(2**63)", "-9223372036854775808"],
    ["2**100 % 97", "16"],
  ]);
});

Deno.test("a float makes the result a float", () => {
  assertPrints([
    ["1 / 2", "0.5"],
    ["4 / 2", "2.0"],
    ["7.5 // 2", "3.0"],
    ["-7.5 % 2", "0.5"],
    ["2 ** -1", "0.5"],
    ["2 ** 0.5", "1.4142135623730951"],
    ["1e308 * 10", "inf"],
    ["10**30 / 3", "3.333333333333333e+29"],
    ["0.1 + 0.2", "0.30000000000000004"],
    ["-0.0", "-0.0"],
    ["1.0 // -3", "-1.0"],
    ["(10**17+1) / 10**17", "1.0"],
  ]);
});

Deno.test("texts and lists are joined and repeated", () => {
  assertPrints([
    ["'a' + 'b'", "ab"],
    ["[1] + [2]", "[1, 2]"],
    ["(1,) + (2,)", "(1, 2)"],
    ["'ab' * 2", "abab"],
    ["2 * [0]", "[0, 0]"],
    ["'a' * -1", ""],
  ]);
});

Deno.test("what has no meaning is told in the words of Python", () => {
  assertFails([
    ["1 + 'a'", "type", "unsupported operand type(s) for +: 'int' and 'str'"],
    ["'a' + 1", "type", 'can only concatenate str (not "int") to str'],
    ["[1] + (1,)", "type", 'can only concatenate list (not "tuple") to list'],
    ["'a' * 'b'", "type", "can't multiply sequence by non-int of type 'str'"],
    ["'a' * 1.5", "type", "can't multiply sequence by non-int of type 'float'"],
    ["none + 1", "type", "unsupported operand type(s) for +: 'NoneType' and 'int'"],
    ["{} - 1", "type", "unsupported operand type(s) for -: 'dict' and 'int'"],
    ["-'a'", "type", "bad operand type for unary -: 'str'"],
    ["+[]", "type", "bad operand type for unary +: 'list'"],
    ["1 / 0", "runtime", "division by zero"],
    ["1 // 0", "runtime", "integer division or modulo by zero"],
    ["1 % 0", "runtime", "integer modulo by zero"],
    ["1.0 % 0", "runtime", "float modulo"],
    ["1.5 // 0", "runtime", "float floor division by zero"],
    ["0 ** -1", "runtime", "0.0 cannot be raised to a negative power"],
    ["10.0 ** 400", "runtime", "(34, 'Numerical result out of range')"],
    ["x + 1", "undefined", "'x' is undefined"],
    ["1 + x", "undefined", "'x' is undefined"],
    ["'a' - x", "undefined", "'x' is undefined"],
  ]);
});
