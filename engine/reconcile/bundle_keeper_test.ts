/** Bundles from a source that a test scripts: which one serves, what is said of the others, and when a source is read again. */
import assert from "node:assert/strict";
import { type Bundle, ConfigError, type TemplateSource } from "../implementation/mod.ts";
import { lineLogger } from "../observe/mod.ts";
import { FakeClock, settled } from "../queue/fake_clock.ts";
import { InProcessRenderer, type Renderer } from "../render/mod.ts";
import { testBundle } from "../testing/world.ts";
import { BundleKeeper } from "./bundle_keeper.ts";

const GOOD = testBundle({ "core/a.yaml": "a: 1" });
const BETTER = testBundle({ "core/a.yaml": "a: 2" });
const NOT_JINJA = testBundle({ "core/a.yaml": "[% if %]" });
const REFUSED = new ConfigError([{ file: "implementation.yaml", message: "No templates" }]);
const UNREACHABLE = new Error("connection refused");

function keeping(...script: readonly (Bundle | Error)[]) {
  const clock = new FakeClock();
  const logs: string[] = [];
  const loaded: string[] = [];
  let reads = 0;
  let changes = 0;
  let tell = () => {};
  const source: TemplateSource = {
    name: "folder:test",
    read: () => {
      const next = script[Math.min(reads++, script.length - 1)];
      return next instanceof Error || next === undefined ? Promise.reject(next) : Promise.resolve(next);
    },
    run: (signal, onChange) => {
      tell = onChange;
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    },
  };
  const inner = new InProcessRenderer();
  const renderer: Renderer = {
    load: async (bundle) => {
      await inner.load(bundle);
      loaded.push(bundle.digest);
    },
    render: (request) => inner.render(request),
    renderStatus: (request) => inner.renderStatus(request),
    close: () => inner.close(),
  };
  const log = lineLogger({
    format: "text",
    level: "debug",
    write: (line) => logs.push(line),
    now: () => new Date(0),
  });
  const keeper = new BundleKeeper({ source, renderer, log, clock, onChange: () => changes++ });
  return { keeper, clock, logs, loaded, reads: () => reads, changes: () => changes, tell: () => tell() };
}

Deno.test("the first bundle serves, its CRD is known, and whoever listens hears of it once", async () => {
  const { keeper, loaded, changes } = keeping(GOOD);
  assert.deepEqual([keeper.state.bundle, keeper.crd], [undefined, undefined]);
  await keeper.load();
  await keeper.load();
  assert.deepEqual(keeper.state, { bundle: GOOD, refusal: undefined });
  assert.equal(keeper.crd?.kind, "Thing");
  assert.deepEqual([loaded.length, changes()], [1, 1]);
});

Deno.test("another bundle is swapped in as a whole", async () => {
  const { keeper, changes } = keeping(GOOD, BETTER);
  await keeper.load();
  await keeper.load();
  assert.equal(keeper.state.bundle, BETTER);
  assert.equal(changes(), 2);
});

Deno.test("one that cannot be read, or does not compile, is refused with the reason; the last good one serves on", async () => {
  const { keeper, changes, logs, loaded, clock } = keeping(GOOD, REFUSED, REFUSED, NOT_JINJA, GOOD);
  await keeper.load();
  await keeper.load();
  assert.deepEqual(keeper.state, { bundle: GOOD, refusal: "implementation.yaml: No templates" });
  await keeper.load();
  assert.equal(changes(), 2);
  await keeper.load();
  assert.equal(keeper.state.bundle, GOOD);
  assert.match(keeper.state.refusal ?? "", /^core\/a.yaml line 1/);
  await keeper.load();
  assert.deepEqual(keeper.state, { bundle: GOOD, refusal: undefined });
  // The renderer never lost it.
  assert.deepEqual(loaded, [GOOD.digest]);
  assert.equal(logs.filter((line) => line.includes("the last good one goes on serving")).length, 2);
  assert.equal(clock.timers, 0);
});

Deno.test("when the first one is refused, nothing serves, but its CRD is known if it says one", async () => {
  const { keeper, logs } = keeping(NOT_JINJA);
  await keeper.load();
  assert.equal(keeper.state.bundle, undefined);
  assert.match(keeper.state.refusal ?? "", /^core\/a.yaml line 1/);
  assert.equal(keeper.crd?.plural, "things");
  assert.match(logs.join(), /nothing is served/);
});

Deno.test("another CRD is refused: that needs a new process", async () => {
  const other = testBundle({ "core/a.yaml": "a: 2" }, { crd: { ...GOOD.implementation.crd, version: "v2" } });
  const { keeper } = keeping(GOOD, other);
  await keeper.load();
  await keeper.load();
  assert.equal(keeper.state.bundle, GOOD);
  assert.match(
    keeper.state.refusal ?? "",
    /changed from Thing\.v1\.example\.com to Thing\.v2\.example\.com: restart/,
  );
});

Deno.test("a source that is out of reach is read again until it is there, though it fails the same way each time", async () => {
  const { keeper, clock, reads, changes } = keeping(UNREACHABLE, UNREACHABLE, UNREACHABLE, GOOD);
  await keeper.load();
  assert.equal(keeper.state.refusal, "connection refused");
  for (let i = 0; i < 10; i++) await clock.advance(1_000);
  assert.equal(keeper.state.bundle, GOOD);
  assert.deepEqual([reads(), changes(), clock.timers], [4, 2, 0]);
});

Deno.test("it follows its source until the signal, and leaves no timer behind", async () => {
  const { keeper, clock, reads, tell } = keeping(GOOD, BETTER, UNREACHABLE);
  await keeper.load();
  const stop = new AbortController();
  const running = keeper.run(stop.signal);
  tell();
  await settled();
  assert.equal(keeper.state.bundle, BETTER);
  tell();
  tell();
  await settled();
  assert.deepEqual([reads(), clock.timers], [4, 1]);
  stop.abort();
  await running;
  assert.equal(clock.timers, 0);
});
