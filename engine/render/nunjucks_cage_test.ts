/** nunjucks in a real Worker: it can be made to run JavaScript, which finds nothing there; and its limits hold. */
import assert from "node:assert/strict";
import type { Implementation } from "../implementation/mod.ts";
import { CagedRenderer } from "./cage.ts";
import { RenderError } from "./render_error.ts";
import { bundleOf, requestFor } from "./testdata/bundle.ts";

const NUNJUCKS = { language: "nunjucks" } as const;
const FINE =
  "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '[{ name }]'}\ndata: {out: '[{ spec.out or out }]'}\n";

async function withCage(action: (cage: CagedRenderer) => Promise<void>): Promise<void> {
  const cage = new CagedRenderer();
  try {
    await action(cage);
  } finally {
    cage.close();
  }
}

async function rendered(cage: CagedRenderer, template: string, more: Partial<Implementation> = NUNJUCKS) {
  await cage.load(bundleOf({ "a/b.yaml": template }, more));
  const { manifests } = await cage.render(requestFor("toy", { spec: {} }));
  return manifests[0]?.object.data;
}

/** By a defect of nunjucks that is known: the name of a test is put into its code as it stands. */
function runs(javaScript: string): string {
  return `[% if 1 is "odd\\").call(context, 1) === (${javaScript}) || env.getTest(\\"odd" %][% endif %]`;
}

Deno.test("JavaScript that a nunjucks template runs has no way out, no clock, no chance, and leaves nothing", async () => {
  const wanted = ["Deno", "fetch", "process", "require", "Worker", "WebSocket", "Date", "Math.random"];
  const names = [
    ...wanted,
    "setTimeout",
    "crypto",
    "performance",
    "navigator",
    "postMessage",
    "close",
    "eval",
  ];
  const found = `context.ctx.out = [${
    names.map((name) => `typeof ${name}`).join()
  }].filter((t) => t !== 'undefined').length`;
  const pollute =
    "(Object.prototype.polluted = 1, Array.prototype.polluted = 1, context.ctx.out += ' ' + [].polluted)";
  await withCage(async (cage) => {
    assert.deepEqual(await rendered(cage, runs("context.ctx.out = 6 * 7") + FINE), { out: "42" });
    assert.deepEqual(await rendered(cage, runs(found) + runs(pollute) + FINE), { out: "0 undefined" });
  });
});

Deno.test("what nunjucks templates try against their limits ends in an error at its line", async () => {
  const attempts = [
    "[% for a in range(100000) %][% for b in range(100000) %][% endfor %][% endfor %]",
    "[% macro m() %][{ m() }][% endmacro %][{ m() }]",
    "[% for i in range(100000) %][{ 'xxxxxxxxxx'.repeat(100) }][% endfor %]",
    "[% set x = [1] %][% for i in range(64) %][% set x = x.concat(x) %][% endfor %]",
    "[% set x = 'ab' %][% for i in range(64) %][% set x = x + x %][% endfor %][{ x }]",
    "[{ 'a'.repeat(500000000) | upper }]",
    "[{ range(1000000000) | length }]",
  ];
  await withCage(async (cage) => {
    for (const attempt of attempts) {
      const limits = { renderMs: 300, outputBytes: 4 * 1024 * 1024 };
      const error = await rendered(cage, `\n${attempt}`, { ...NUNJUCKS, limits }).catch((reason) => reason);
      assert.ok(error instanceof RenderError, `${attempt}: ${error}`);
      assert.deepEqual([error.kind, error.template, error.line], ["limit", "a/b.yaml", 2], attempt);
    }
    assert.deepEqual(await rendered(cage, FINE), { out: "" });
  });
});

Deno.test("a bundle may change its language; when it is refused, the one before serves on", async () => {
  await withCage(async (cage) => {
    assert.deepEqual(await rendered(cage, FINE.replace("spec.out or out", "true"), {}), { out: "True" });
    assert.deepEqual(await rendered(cage, FINE.replace("spec.out or out", "true")), { out: "true" });
    await assert.rejects(cage.load(bundleOf({ "a/b.yaml": "[% if %]" })), RenderError);
    const { manifests } = await cage.render(requestFor("toy", { spec: {} }));
    assert.deepEqual(manifests[0]?.object.data, { out: "true" });
  });
});
