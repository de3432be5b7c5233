import { assertFails, assertPrints } from "./testing.ts";

Deno.test("integers", () => {
  assertPrints([
    ["'{:05d}'.format(-42)", "-0042"],
    ["'{:,}'.format(1234567)", "1,234,567"],
    ["'{:_x}'.format(123456789)", "75b_cd15"],
    ["'{:#010b}'.format(5)", "0b00000101"],
    ["'{:+}'.format(5)", "+5"],
    ["'{:*^9}'.format(42)", "***42****"],
    ["'{:=+6}'.format(5)", "+    5"],
    ["'{:c}'.format(65)", "A"],
    ["'{:015,}'.format(1234567)", "000,001,234,567"],
    ["'{:e}'.format(12345)", "1.234500e+04"],
    ["'{:5}'.format(true)", "    1"],
  ]);
});

Deno.test("floats", () => {
  assertPrints([
    ["'{:.2f}'.format(2.675)", "2.67"],
    ["'{:.0f}'.format(2.5)", "2"],
    ["'{}'.format(1e16)", "1e+16"],
    ["'{:g}'.format(1e-5)", "1e-05"],
    ["'{:.3}'.format(1234.5)", "1.23e+03"],
    ["'{:%}'.format(0.256)", "25.600000%"],
    ["'{:#.0f}'.format(1.0)", "1."],
    ["'{:010}'.format(-1.5)", "-0000001.5"],
    ["'{:,.1f}'.format(1234567.89)", "1,234,567.9"],
    ["'{:z.1f}'.format(-0.04)", "0.0"],
    ["'{:E}'.format(0.0)", "0.000000E+00"],
    ["'{:.40f}'.format(0.1)", "0.1000000000000000055511151231257827021182"],
    ["'{:n}'.format(1.5)", "1.5"],
  ]);
});

Deno.test("texts and the rest", () => {
  assertPrints([
    ["'[{:<5}]'.format('ab')", "[ab   ]"],
    ["'[{:^5.1}]'.format('ab')", "[  a  ]"],
    ["'[{:05}]'.format('ab')", "[ab000]"],
    ["'{}'.format([1,'a'])", "[1, 'a']"],
  ]);
  assertFails([
    ["'{:5}'.format([1])", "type", "unsupported format string passed to list.__format__"],
    ["'{:d}'.format('a')", "runtime", "Unknown format code 'd' for object of type 'str'"],
    ["'{:,}'.format('a')", "runtime", "Cannot specify ',' with 's'."],
    ["'{:=5}'.format('a')", "runtime", "'=' alignment not allowed in string format specifier"],
    ["'{:.2d}'.format(5)", "runtime", "Precision not allowed in integer format specifier"],
    ["'{:,x}'.format(5)", "runtime", "Cannot specify ',' with 'x'."],
    ["'{:x}'.format(1.5)", "runtime", "Unknown format code 'x' for object of type 'float'"],
    ["'{:.}'.format(1)", "runtime", "Format specifier missing precision"],
    ["'{:,_}'.format(1)", "runtime", "Cannot specify both ',' and '_'."],
    ["'{:5 5}'.format(1)", "runtime", "Invalid format specifier '5 5' for object of type 'int'"],
  ]);
});
