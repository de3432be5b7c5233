/** Informers on the fake API server, which tests of the layers above stand on: both have to agree on what a watch tells. */
import assert from "node:assert/strict";
import { FakeClock, settled } from "../queue/fake_clock.ts";
import { configMap, resource } from "../testing/builders.ts";
import { FakeKube } from "../testing/fake_kube.ts";
import { Informer } from "./informer.ts";

const CONFIG_MAPS = resource("ConfigMap");
const BY = { fieldManager: "test" };
const REF = { group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "a" };

async function running() {
  const kube = new FakeKube([CONFIG_MAPS]);
  const clock = new FakeClock();
  const informer = new Informer({ client: kube.client, resource: CONFIG_MAPS, selection: {}, clock });
  const heard: string[] = [];
  informer.onChange(({ old, new: now }) =>
    heard.push(`${old === undefined ? "+" : now === undefined ? "-" : "~"}${(now ?? old)?.metadata.name}`)
  );
  const stop = new AbortController();
  const ended = informer.run(stop.signal);
  await informer.whenSynced();
  return {
    kube,
    clock,
    informer,
    heard,
    stop: async () => {
      stop.abort();
      await ended;
      assert.equal(clock.timers, 0);
    },
  };
}

Deno.test("what others do is told; what we do is read at once", async () => {
  const { kube, informer, heard, stop } = await running();
  const { object } = await kube.client.create(CONFIG_MAPS, configMap("a", "default"), BY);
  await settled();
  assert.equal(informer.get("default", "a")?.metadata.resourceVersion, object.metadata.resourceVersion);
  const pending = informer.beginWrite("default", "a");
  const { object: written, text } = await kube.client.patch(CONFIG_MAPS, REF, { data: { a: "2" } }, BY);
  pending.done(written, text);
  assert.equal(informer.get("default", "a")?.metadata.resourceVersion, written.metadata.resourceVersion);
  await settled();
  assert.deepEqual(heard, ["+a", "~a"]);
  await stop();
});

Deno.test("the patch that takes the last finalizer off leaves no ghost", async () => {
  const { kube, informer, heard, stop } = await running();
  const held = configMap("a", "default");
  const { object } = await kube.client.create(CONFIG_MAPS, {
    ...held,
    metadata: { ...held.metadata, finalizers: ["example.com/hold"] },
  }, BY);
  assert.equal(await kube.client.delete(CONFIG_MAPS, REF, { uid: object.metadata.uid ?? "" }), "deleting");
  await settled();
  const pending = informer.beginWrite("default", "a");
  const { object: last } = await kube.client.patch(CONFIG_MAPS, REF, { metadata: { finalizers: null } }, BY);
  pending.done(last);
  await settled();
  assert.equal(informer.get("default", "a"), undefined);
  assert.deepEqual(heard, ["+a", "~a", "-a"]);
  await stop();
});

Deno.test("watches that end go on without a list; a resourceVersion that is too old costs one, which tells what was missed", async () => {
  const { kube, clock, informer, heard, stop } = await running();
  const { object } = await kube.client.create(CONFIG_MAPS, configMap("a", "default"), BY);
  await settled();
  kube.endWatches();
  await clock.advance(200);
  assert.deepEqual(kube.calls.filter(({ verb }) => verb === "list" || verb === "watch").length, 2);
  kube.endWatches();
  await settled();
  await kube.client.delete(CONFIG_MAPS, REF, { uid: object.metadata.uid ?? "" });
  await kube.client.create(CONFIG_MAPS, configMap("b", "default"), BY);
  kube.compact();
  await clock.advance(2000);
  assert.deepEqual(heard.toSorted(), ["+a", "+b", "-a"]);
  assert.equal(informer.lastError, undefined);
  await stop();
});
