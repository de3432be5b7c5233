import assert from "node:assert/strict";
import { compileTemplates } from "./environment.ts";
import { DEFAULT_LIMITS, LimitError, sizeOf } from "./limits.ts";
import { PyDict } from "./values/mod.ts";

Deno.test("what a template makes is bounded, whether it keeps it or not", () => {
  const templates = [
    "[% set ns = namespace(l=[1]) %][% for i in range(99) %][% set ns.l = ns.l + ns.l %][% endfor %]",
    "[% set ns = namespace(s='ab') %][% for i in range(99) %][% set ns.s = ns.s ~ ns.s %][% endfor %]",
    "[% set ns = namespace(s='ab') %][% for i in range(99) %][% set ns.s = ns.s * 2 %][% endfor %]",
    "[% set keep = [] %][% for i in range(9999) %][% set _ = keep.append([i, i, i]) %][% endfor %]",
    "[% set keep = [] %][% for i in range(9999) %][% set _ = keep.append({'i': i}) %][% endfor %]",
    "[% set keep = [] %][% for i in range(9999) %][% set x %]text[% endset %][% set _ = keep.append(x) %][% endfor %]",
    "[% for i in range(9999) %][% set x = range(100)|list %][% endfor %]",
    "[% for i in range(9999) %][% set x = 2 ** (60 + i) %][% endfor %]",
  ];
  for (const template of templates) {
    const bundle = compileTemplates(new Map([["t", template]]));
    assert.throws(
      () => bundle.render("t", new PyDict(), { maxMade: 20_000 }),
      (error) =>
        error instanceof Error && error.cause instanceof LimitError && error.cause.limit === "maxMade",
      template,
    );
  }
});

Deno.test("an ordinary render stays far below the bound", () => {
  const bundle = compileTemplates(
    new Map([["t", "[% for i in range(1000) %][{ 'line ' ~ i }]\n[% endfor %]"]]),
  );
  assert.doesNotThrow(() => bundle.render("t", new PyDict(), { maxMade: DEFAULT_LIMITS.maxMade / 1000 }));
});

Deno.test("a render stops when it is told to, wherever it is", () => {
  const loop = (body: string): string =>
    "[% for i in range(99999) %]".repeat(3) + body + "[% endfor %]".repeat(3);
  const templates = [
    loop(""),
    loop("[% if i %][% endif %]"),
    "[% for i in range(99999) if false %][% endfor %]".repeat(100),
    `[% macro m() %][% endmacro %]${loop("[{ m() }]")}`,
    "[% for i in range(99999) recursive %][% if loop.depth < 9 %][{ loop(range(99999)) }][% endif %][% endfor %]",
  ];
  for (const template of templates) {
    let asked = 0;
    const bundle = compileTemplates(new Map([["t", template]]));
    assert.throws(
      () => bundle.render("t", new PyDict(), { interrupted: () => ++asked > 20 }),
      (error) =>
        error instanceof Error && error.cause instanceof LimitError && error.cause.limit === "interrupted",
      template,
    );
  }
});

Deno.test("sizeOf counts characters and items", () => {
  assert.deepEqual([sizeOf("abcd"), sizeOf([1, 2]), sizeOf(7), sizeOf(null), sizeOf(true)], [4, 4, 0, 0, 0]);
});
