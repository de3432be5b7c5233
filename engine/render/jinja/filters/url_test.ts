import { assertFails, assertPrints } from "../values/testing.ts";

Deno.test("urlencode", () => {
  assertPrints([
    ["'a b/c?d=é&f'|urlencode", "a%20b/c%3Fd%3D%C3%A9%26f"],
    ["{'a b':'c/d','e':1}|urlencode", "a+b=c%2Fd&e=1"],
    ["[('a',1)]|urlencode", "a=1"],
    ["5|urlencode", "5"],
  ]);
  assertFails([
    ["[1]|urlencode", "type", "cannot unpack non-iterable int object"],
  ]);
});

Deno.test("urlize makes links", () => {
  assertPrints([
    [
      "'see http://example.com/a?b=c, (www.foo.org).'|urlize",
      'see <a href="http://example.com/a?b=c" rel="noopener">http://example.com/a?b=c</a>, (<a href="https://www.foo.org" rel="noopener">www.foo.org</a>).',
    ],
    [
      "'me@x.org and mailto:you@y.org'|urlize",
      '<a href="mailto:me@x.org">me@x.org</a> and <a href="mailto:you@y.org">you@y.org</a>',
    ],
    [
      "'http://example.com/long'|urlize(10,true,'_blank')",
      '<a href="http://example.com/long" rel="nofollow noopener" target="_blank">http://exa...</a>',
    ],
    [
      "'<http://x.net> foo.com/a_(b)'|urlize",
      '&lt;<a href="http://x.net" rel="noopener">http://x.net</a>&gt; <a href="https://foo.com/a_(b)" rel="noopener">foo.com/a_(b)</a>',
    ],
    ["'ftp://x.y'|urlize(extra_schemes=['ftp://'])", '<a href="ftp://x.y" rel="noopener">ftp://x.y</a>'],
    [
      "'http://[::1]:80/ 10.0.0.1 http://10.0.0.1/'|urlize",
      '<a href="http://[::1]:80/" rel="noopener">http://[::1]:80/</a> 10.0.0.1 <a href="http://10.0.0.1/" rel="noopener">http://10.0.0.1/</a>',
    ],
  ]);
  assertFails([
    ["'x'|urlize(extra_schemes=['?'])", "runtime", "'?' is not a valid URI scheme prefix."],
  ]);
});
