/** ConfigMaps of a template source, over the fake API server. */
import assert from "node:assert/strict";
import { CONFIG_MAPS, ForbiddenError } from "../kube/mod.ts";
import { refOf } from "../meta/mod.ts";
import { lineLogger, PrometheusMetrics } from "../observe/mod.ts";
import { settled } from "../queue/fake_clock.ts";
import { configMap } from "../testing/builders.ts";
import { FakeKube } from "../testing/fake_kube.ts";
import { InformerSet } from "../watch/mod.ts";
import { configMapReader } from "./config_map_reader.ts";

const BY = { fieldManager: "helm" };
const LOG = lineLogger({ format: "text", level: "error", write: () => {}, now: () => new Date(0) });

async function worldOf(...names: readonly string[]) {
  const kube = new FakeKube([CONFIG_MAPS]);
  for (const name of names) {
    await kube.client.create(CONFIG_MAPS, configMap(name, "default", { "a.yaml": name }), BY);
  }
  const reader = configMapReader(
    kube.client,
    "default",
    (signal) => new InformerSet({ client: kube.client, log: LOG, metrics: new PrometheusMetrics(), signal }),
  );
  return { kube, reader };
}

Deno.test("the data of a ConfigMap, nothing when it is not there, an empty mapping when it holds none", async () => {
  const { kube, reader } = await worldOf("one");
  await kube.client.create(CONFIG_MAPS, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "bare", namespace: "default" },
  }, BY);
  assert.deepEqual(await reader.get("one"), { "a.yaml": "one" });
  assert.equal(await reader.get("other"), undefined);
  assert.deepEqual(await reader.get("bare"), {});
});

Deno.test("another failure than its absence is thrown", async () => {
  const { kube, reader } = await worldOf();
  kube.intercept = () => {
    throw new ForbiddenError("Not allowed", { code: 403 });
  };
  await assert.rejects(reader.get("one"), ForbiddenError);
});

Deno.test("one call when the watches stand, then one for each change of just these, also of one that comes; the end with the signal", async () => {
  const { kube, reader } = await worldOf("one", "foreign");
  const stop = new AbortController();
  let calls = 0;
  const watching = reader.watch(["one", "later"], () => calls++, stop.signal);
  await settled();
  await settled();
  assert.equal(calls, 1);
  await kube.client.patch(CONFIG_MAPS, refOf(configMap("foreign", "default")), { data: { x: "1" } }, BY);
  await settled();
  assert.equal(calls, 1);
  await kube.client.patch(CONFIG_MAPS, refOf(configMap("one", "default")), { data: { x: "1" } }, BY);
  await settled();
  assert.equal(calls, 2);
  await kube.client.create(CONFIG_MAPS, configMap("later", "default"), BY);
  await settled();
  assert.equal(calls, 3);
  stop.abort();
  await watching;
  await kube.client.patch(CONFIG_MAPS, refOf(configMap("one", "default")), { data: { x: "2" } }, BY);
  await settled();
  assert.equal(calls, 3);
});

Deno.test("a signal that comes before the watches stand is an end, too", async () => {
  const { reader } = await worldOf("one");
  const stop = new AbortController();
  let calls = 0;
  const watching = reader.watch(["one"], () => calls++, stop.signal);
  stop.abort();
  await watching;
  assert.equal(calls, 0);
});
