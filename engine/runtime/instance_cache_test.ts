/** The caches that a reconcile starts from, over an informer on the fake API server. */
import assert from "node:assert/strict";
import type { KubeObject } from "../meta/mod.ts";
import { configMap, resource } from "../testing/builders.ts";
import { FakeKube } from "../testing/fake_kube.ts";
import { Informer } from "../watch/mod.ts";
import {
  BY_INSTANCE,
  BY_UID,
  instanceCache,
  instanceKeyOf,
  recordCache,
  requestOf,
  uidOf,
} from "./instance_cache.ts";

const MAPS = resource("ConfigMap");
const BY = { fieldManager: "test" };
const NOTE = "example.com/instance";

async function worldOf(...objects: readonly KubeObject[]) {
  const kube = new FakeKube([MAPS]);
  for (const object of objects) await kube.client.create(MAPS, object, BY);
  const indexes = {
    [BY_UID]: uidOf,
    [BY_INSTANCE]: instanceKeyOf({ instance: NOTE, record: "example.com/record" }),
  };
  const informer = new Informer({ client: kube.client, resource: MAPS, selection: {}, indexes });
  const stop = new AbortController();
  const ended = informer.run(stop.signal);
  await informer.whenSynced();
  return {
    kube,
    informer,
    [Symbol.asyncDispose]: () => {
      stop.abort();
      return ended;
    },
  };
}

Deno.test("an instance is read with its text, and known by its UID", async () => {
  await using world = await worldOf(configMap("one", "default"));
  const cache = instanceCache(world.informer);
  const read = cache.read({ namespace: "default", name: "one" });
  assert.deepEqual(JSON.parse(read?.text ?? ""), read?.object);
  assert.equal(cache.read({ name: "one" }), undefined);
  assert.equal(cache.existsUid(read?.object.metadata.uid ?? ""), true);
  assert.equal(cache.existsUid("other"), false);
});

Deno.test("what was written to it is read at once, text and all; what is gone is gone", async () => {
  await using world = await worldOf(configMap("one", "default"));
  const cache = instanceCache(world.informer);
  const request = { namespace: "default", name: "one" };
  const ref = { group: "", version: "v1", kind: "ConfigMap", ...request };
  cache.beginWrite(request).failed();
  const pending = cache.beginWrite(request);
  pending.done(await world.kube.client.patch(MAPS, ref, { data: { b: "2" } }, BY));
  assert.deepEqual(JSON.parse(cache.read(request)?.text ?? "").data, { a: "1", b: "2" });
  cache.beginWrite(request).gone();
  assert.equal(cache.read(request), undefined);
});

Deno.test("a record is found by the instance that its annotation names", async () => {
  const plain = configMap("record", "default");
  const record = {
    ...plain,
    metadata: { ...plain.metadata, annotations: { [NOTE]: "Thing.example.com//one" } },
  };
  await using world = await worldOf(configMap("other", "default"), record);
  const cache = recordCache(world.informer, "default");
  assert.equal(cache.find("Thing.example.com//one")?.metadata.name, "record");
  assert.equal(cache.find("Thing.example.com//two"), undefined);
  cache.beginWrite("record").gone();
  assert.equal(cache.find("Thing.example.com//one"), undefined);
});

Deno.test("a request is the name, and the namespace where there is one", () => {
  assert.deepEqual(requestOf(configMap("one", "shop")), { namespace: "shop", name: "one" });
  assert.deepEqual(requestOf({ apiVersion: "v1", kind: "Namespace", metadata: { name: "n" } }), {
    name: "n",
  });
});
