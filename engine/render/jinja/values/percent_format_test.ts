import { assertFails, assertPrints } from "./testing.ts";

Deno.test("values come one after another, by name, or alone", () => {
  assertPrints([
    ["'%s-%s' % (1,'a')", "1-a"],
    ["'%(a)s %(b)05.1f' % {'a':1,'b':2.5}", "1 002.5"],
    ["'%s' % [1,2]", "[1, 2]"],
    ["'%s %%' % 5", "5 %"],
    ["'abc' % []", "abc"],
    ["'%*d|%-5s|' % (4,7,'x')", "   7|x    |"],
  ]);
});

Deno.test("conversions", () => {
  assertPrints([
    ["'%d' % 3.9", "3"],
    ["'%05d' % -42", "-0042"],
    ["'%x %X %#o' % (255,255,8)", "ff FF 0o10"],
    ["'%+.2e' % 12345.678", "+1.23e+04"],
    ["'%g' % 1e-5", "1e-05"],
    ["'%G' % 1e20", "1E+20"],
    ["'%r %a' % ('é','é')", "'é' '\\xe9'"],
    ["'%.2s' % 'abc'", "ab"],
    ["'%c%c' % (65,'b')", "Ab"],
    ["'% d' % 5", " 5"],
    ["'%.3d' % 7", "007"],
    ["'%#.3g' % 1.0", "1.00"],
  ]);
});

Deno.test("what does not fit is told", () => {
  assertFails([
    ["'%s %s' % 1", "type", "not enough arguments for format string"],
    ["'%s' % (1,2)", "type", "not all arguments converted during string formatting"],
    ["'%(a)s' % 5", "type", "format requires a mapping"],
    ["'%(a)s' % {}", "runtime", "'a'"],
    ["'%d' % 'a'", "type", "%d format: a real number is required, not str"],
    ["'%x' % 1.5", "type", "%x format: an integer is required, not float"],
    ["'%q' % 1", "runtime", "unsupported format character 'q' (0x71) at index 1"],
    ["'%' % 1", "runtime", "incomplete format"],
    ["'%c' % 'ab'", "type", "%c requires int or char"],
    ["'%5%' % 1", "runtime", "unsupported format character '%' (0x25) at index 2"],
  ]);
});
