/** The cage with a real Worker. */
import assert from "node:assert/strict";
import { CagedRenderer } from "./cage.ts";
import { RenderError } from "./render_error.ts";
import { bundleOf, requestFor } from "./testdata/bundle.ts";

const FINE =
  "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '[{ name }]'}\ndata: {size: '[{ spec.n }]'}\n";
/** Runs for hours, but only for an instance that asks for it. */
const ENDLESS = [
  "[% if spec.hang %]",
  "[% for a in range(100000) %][% for b in range(100000) %][% endfor %][% endfor %]",
  "[% endif %]",
].join("\n");

async function withCage(action: (cage: CagedRenderer) => Promise<void>): Promise<void> {
  const cage = new CagedRenderer();
  try {
    await action(cage);
  } finally {
    cage.close();
  }
}

async function failure(action: Promise<unknown>): Promise<unknown> {
  return await action.then(() => undefined, (reason: unknown) => reason);
}

Deno.test("an endless loop is cut at its limit, at its line, and the renders behind it succeed", async () => {
  await withCage(async (cage) => {
    const limits = { renderMs: 300, outputBytes: 1000 };
    await cage.load(bundleOf({ "a/fine.yaml": FINE, "a/loop.yaml": ENDLESS }, { limits }));
    const started = performance.now();
    const hanging = failure(cage.render(requestFor("bad", { spec: { hang: true } })));
    const others = Array.from({ length: 50 }, (_, n) => cage.render(requestFor(`toy-${n}`, { spec: { n } })));
    const error = await hanging;
    const took = performance.now() - started;
    const rendered = await Promise.all(others);
    assert.ok(error instanceof RenderError, String(error));
    assert.deepEqual([error.kind, error.template, error.line], ["limit", "a/loop.yaml", 2]);
    assert.ok(took < limits.renderMs + 1000, `${took} ms`);
    rendered.forEach(({ manifests }, n) => assert.deepEqual(manifests[0]?.object.data, { size: String(n) }));
  });
});

Deno.test("what templates try against the host ends in an error, and nothing of it is left", async () => {
  const attempts = [
    "[{ ''.constructor.constructor('return 7 * 6')() }]",
    "[{ spec.__proto__.polluted.x }]",
    "[% set spec.__proto__.polluted = 1 %]",
    "[{ cycler.__init__.__globals__.os.popen('id').read() }]",
    "[{ range(10 ** 9) | length }]",
    "[{ 'a' * 10 ** 9 }]",
    "[% macro m() %][{ m() }][% endmacro %][{ m() }]",
    "[% for i in range(100000) %][{ 'x' * 1000 }][% endfor %]",
    "[% set x = namespace(l=[1]) %][% for i in range(64) %][% set x.l = x.l + x.l %][% endfor %]",
  ];
  await withCage(async (cage) => {
    for (const attempt of attempts) {
      const loading = cage.load(bundleOf({ "a/b.yaml": attempt }));
      const error = await failure(loading.then(() => cage.render(requestFor("toy", { spec: {} }))));
      assert.ok(error instanceof RenderError, `${attempt}: ${error}`);
      assert.equal(error.line, 1, attempt);
    }
    await cage.load(bundleOf({ "a/b.yaml": FINE }));
    const { manifests } = await cage.render(requestFor("toy", { spec: { n: 1 } }));
    assert.deepEqual(manifests[0]?.object.data, { size: "1" });
  });
});

Deno.test("`__proto__` in an instance and integers beyond 2^53 come through as data", async () => {
  await withCage(async (cage) => {
    await cage.load(bundleOf({
      "a/b.yaml": "apiVersion: v1\nkind: A\nmetadata: {name: a}\nspec: [{ spec | tojson }]\n",
    }));
    const spec = `{"__proto__":{"polluted":1},"constructor":"x","n":12345678901234567890}`;
    const instance = `{"metadata":{"name":"toy"},"spec":${spec}}`;
    const { manifests } = await cage.render({ ...requestFor("toy"), instance });
    const rendered = manifests[0]?.object.spec;
    assert.ok(typeof rendered === "object" && rendered !== null);
    assert.deepEqual(Object.entries(rendered), [
      ["__proto__", { polluted: 1 }],
      ["constructor", "x"],
      ["n", 12345678901234567890n],
    ]);
  });
});

Deno.test("the same input gives the same bytes, again and again", async () => {
  await withCage(async (cage) => {
    await cage.load(bundleOf({ "a/b.yaml": FINE }));
    const digests = new Set<string>();
    for (let round = 0; round < 10_000; round++) {
      digests.add((await cage.render(requestFor("toy", { spec: { n: 1 } }))).digest);
    }
    assert.equal(digests.size, 1);
  });
});
