import { assertFails, assertPrints } from "../values/testing.ts";

Deno.test("int and float read numbers and fall back", () => {
  assertPrints([
    ["'42.7'|int", "42"],
    ["'0x1f'|int(0,16)", "31"],
    ["'1_000'|int", "1000"],
    ["' 12 '|int", "12"],
    ["'x'|int(7)", "7"],
    ["none|int", "0"],
    ["3.9|int", "3"],
    ["'٣'|int", "3"],
    ["'inf'|int(5)", "5"],
    ["'0b11'|int(base=0)", "3"],
    ["'9'*20|int", "99999999999999999999"],
    ["'1e3'|float", "1000.0"],
    ["'x'|float(1)", "1"],
    ["true|float", "1.0"],
    ["1e400|string|int", "0"],
  ]);
  assertFails([
    ["x|int", "undefined", "'x' is undefined"],
  ]);
});

Deno.test("round, abs", () => {
  assertPrints([
    ["2.5|round", "2.0"],
    ["3.5|round", "4.0"],
    ["42.55|round(1)", "42.5"],
    ["42.55|round(1,'floor')", "42.5"],
    ["42.55|round(1,'ceil')", "42.6"],
    ["1234|round(-2)", "1200"],
    ["1250|round(-2)", "1200"],
    ["-7|abs", "7"],
    ["2.675|round(2)", "2.67"],
  ]);
  assertFails([
    ["'a'|abs", "type", "bad operand type for abs(): 'str'"],
    ["'a'|round", "type", "type str doesn't define __round__ method"],
    ["1.5|round(method='x')", "runtime", "method must be common, ceil or floor"],
  ]);
});

Deno.test("filesizeformat", () => {
  assertPrints([
    ["1|filesizeformat", "1 Byte"],
    ["999|filesizeformat", "999 Bytes"],
    ["1000|filesizeformat", "1.0 kB"],
    ["1500000|filesizeformat", "1.5 MB"],
    ["1048576|filesizeformat(true)", "1.0 MiB"],
    ["'12345'|filesizeformat", "12.3 kB"],
  ]);
  assertFails([
    ["10**30|filesizeformat", "type", "unsupported operand type(s) for ** or pow(): 'int' and 'str'"],
    ["'a'|filesizeformat", "runtime", "could not convert string to float: 'a'"],
  ]);
});
