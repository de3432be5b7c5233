import { assertFails, assertPrints } from "./testing.ts";

Deno.test("what would be too large is refused before it is made", () => {
  assertFails([
    ["'a' * 10**9", "runtime", "The string would be longer"],
    ["10**9 * [0]", "runtime", "The sequence would be longer"],
    ["'a'.center(10**9)", "runtime", "The string would be longer"],
    ["'a'.ljust(10**9)", "runtime", "The string would be longer"],
    ["'a'.zfill(10**9)", "runtime", "The string would be longer"],
    ["'a'.rjust(2**70)", "runtime", "The string would be longer"],
    ["'\\t'.expandtabs(10**9)", "runtime", "The string would be longer"],
    ["('x' * 4000000).replace('x', 'ab')", "runtime", "The string would be longer"],
    ["('x' * 4000000).replace('', 'ab')", "runtime", "The string would be longer"],
    ["('x' * 3000).join('y' * 3000)", "runtime", "The string would be longer"],
    ["range(3000)|join('x' * 3000)", "runtime", "The string would be longer"],
    ["'%1000000000d' % 5", "runtime", "The string would be longer"],
    ["'%.*f' % (10**9, 1.5)", "runtime", "The string would be longer"],
    ["'{:1000000000}'.format(5)", "runtime", "The string would be longer"],
    ["'{:.1000000000f}'.format(1.5)", "runtime", "The string would be longer"],
    ["'a'|center(10**9)", "runtime", "The string would be longer"],
    ["'a\\nb'|indent(10**9)", "runtime", "The string would be longer"],
    ["[1]|tojson(10**9)", "runtime", "The string would be longer"],
    ["('<' * 4000000)|e", "runtime", "The string would be longer"],
    ["[['x' * 3000] * 3000]", "runtime", "The string would be longer"],
    ["[['x' * 3000] * 3000]|pprint", "runtime", "The string would be longer"],
    ["[1]|batch(10**9, 0)|list", "runtime", "The sequence would be longer"],
    ["range(10**9)", "runtime", "Range too big"],
    ["10 ** (10 ** 10)", "runtime", "The integer would be larger"],
    ["2 ** (2 ** 70)", "runtime", "The integer would be larger"],
    ["(2 ** 60000) * (2 ** 60000)", "runtime", "The integer would be larger"],
  ]);
});

Deno.test("what is just large is made", () => {
  assertPrints([
    ["('a' * 4000000)|length", "4000000"],
    ["range(100000)|length", "100000"],
    ["([0] * 500000 * 2)|length", "1000000"],
    ["(range(100000)|list + range(100000)|list)|length", "200000"],
    ["([0] * 900000) is sequence", "True"],
    ["(2 ** 60000).bit_length()", "60001"],
  ]);
});
