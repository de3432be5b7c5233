import assert from "node:assert/strict";
import { type ConfigMapReader, ConfigMapSource, type ConfigMapSourceOptions } from "./configmap_source.ts";
import type { Clock } from "../queue/mod.ts";

const IMPLEMENTATION =
  "crd: {group: g.example.com, version: v1, kind: Thing, plural: things}\ntemplates: [core/a.yaml]\n";

/** A clock without delay: what is poked is called. */
const AT_ONCE: Clock = {
  now: () => 0,
  after: (_ms, action) => {
    action();
    return () => {};
  },
};

class FakeReader implements ConfigMapReader {
  readonly watched: string[][] = [];
  readonly read: string[] = [];
  onChange: () => void = () => {};
  started = Promise.withResolvers<void>();

  constructor(readonly maps: Record<string, Record<string, string>>) {}

  get(name: string): Promise<Record<string, string> | undefined> {
    this.read.push(name);
    return Promise.resolve(this.maps[name]);
  }

  watch(names: readonly string[], onChange: () => void, signal: AbortSignal): Promise<void> {
    this.watched.push([...names]);
    this.onChange = onChange;
    this.started.resolve();
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  }
}

function sourceOf(reader: FakeReader, options: Partial<ConfigMapSourceOptions> = {}): ConfigMapSource {
  return new ConfigMapSource({ namespace: "sys", configMap: "impl", reader, clock: AT_ONCE, ...options });
}

Deno.test("follows names to ConfigMaps, and their texts to further ones, each read once", async () => {
  const reader = new FakeReader({
    impl: { "implementation.yaml": IMPLEMENTATION },
    core: { "a.yaml": '[% include "lib/x.j2" %]', "b.yaml": '[% import "core/a.yaml" as a %]' },
    lib: { "x.j2": '[% from "gone/y.j2" import z %]' },
    unrelated: { "q.yaml": "" },
  });
  const source = sourceOf(reader);
  const bundle = await source.read();
  assert.equal(source.name, "configmap:sys/impl");
  assert.deepEqual([...bundle.sources.keys()], ["core/a.yaml", "core/b.yaml", "lib/x.j2"]);
  assert.deepEqual(reader.read, ["impl", "core", "lib", "gone"]);
});

Deno.test("one ConfigMap may hold implementation and templates", async () => {
  const text = IMPLEMENTATION.replace("core/", "impl/");
  const bundle = await sourceOf(new FakeReader({ impl: { "implementation.yaml": text, "a.yaml": "A" } }))
    .read();
  assert.deepEqual([...bundle.sources], [["impl/a.yaml", "A"]]);
});

Deno.test("what is missing is named: the ConfigMap, the key, the template", async () => {
  const refused = (maps: Record<string, Record<string, string>>, words: RegExp) =>
    assert.rejects(sourceOf(new FakeReader(maps)).read(), words);
  await refused({}, /^ConfigError: impl: There is no such ConfigMap in namespace `sys`/);
  await refused({ impl: { "order.yaml": "" } }, /impl: Has no key `implementation.yaml`/);
  await refused(
    { impl: { "implementation.yaml": IMPLEMENTATION } },
    /impl\/implementation.yaml line 2, templates\[0\]: Template `core\/a.yaml` does not exist; there is no ConfigMap `core` in namespace sys$/,
  );
  await refused(
    { impl: { "implementation.yaml": IMPLEMENTATION }, core: {} },
    /; the ConfigMap `core` in namespace sys is empty$/,
  );
  const two = `${IMPLEMENTATION}status: core/s.yaml\nvalues: [lib/v.yaml]\n`;
  await refused(
    { impl: { "implementation.yaml": two } },
    new RegExp([
      "^ConfigError: impl/implementation.yaml line 4, values\\[0\\]: Template `lib/v.yaml` does not exist; " +
      "there is no ConfigMap `lib` in namespace sys",
      "impl/implementation.yaml line 2, templates\\[0\\]: Template `core/a.yaml` and 1 more of `core` do not exist; " +
      "there is no ConfigMap `core` in namespace sys$",
    ].join("; ")),
  );
});

Deno.test("a second order is appended while it is there, and refused when malformed", async () => {
  const reader = new FakeReader({
    impl: { "implementation.yaml": IMPLEMENTATION },
    core: { "a.yaml": "A" },
    mine: { "b.yaml": "B" },
  });
  const source = sourceOf(reader, { extra: "custom" });
  assert.deepEqual((await source.read()).implementation.templates, ["core/a.yaml"]);
  reader.maps.custom = { "templates-order.yaml": "templates: [mine/b.yaml]\n" };
  assert.deepEqual((await source.read()).implementation.templates, ["core/a.yaml", "mine/b.yaml"]);
  reader.maps.custom = { "templates-order.yaml": "templates: {}\n" };
  await assert.rejects(source.read(), /custom\/templates-order.yaml line 1, templates: Has to be a list/);
});

Deno.test("watches what it read, also what is missing, and watches anew when the names change", async () => {
  const reader = new FakeReader({ impl: { "implementation.yaml": IMPLEMENTATION } });
  const source = sourceOf(reader);
  const abort = new AbortController();
  let changes = 0;
  const running = source.run(abort.signal, () => changes++);
  assert.deepEqual(reader.watched, [["impl"]]);
  reader.started = Promise.withResolvers<void>();
  await assert.rejects(source.read());
  await reader.started.promise;
  assert.deepEqual(reader.watched, [["impl"], ["core", "impl"]]);
  reader.onChange();
  assert.equal(changes, 1);
  reader.maps.core = { "a.yaml": "A" };
  await source.read();
  assert.equal(reader.watched.length, 2);
  abort.abort();
  await running;
});
