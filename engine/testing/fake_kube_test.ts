import assert from "node:assert/strict";
import { kubeClientConformance } from "../kube/conformance.ts";
import { CONFIG_MAPS, GoneError, NoMatchError } from "../kube/mod.ts";
import { FakeKube } from "./fake_kube.ts";

kubeClientConformance(
  "The fake KubeClient",
  () => Promise.resolve({ client: new FakeKube([CONFIG_MAPS]).client, namespace: "default" }),
);

Deno.test("a watch from before a compaction is gone, and bookmarks come when asked for", async () => {
  const kube = new FakeKube([CONFIG_MAPS]);
  const { resourceVersion } = await kube.client.list(CONFIG_MAPS);
  const { signal } = new AbortController();
  kube.compact();
  const stale = kube.client.watch(CONFIG_MAPS, { resourceVersion, signal })[Symbol.asyncIterator]();
  await assert.rejects(Promise.resolve(stale.next()), GoneError);
  const now = (await kube.client.list(CONFIG_MAPS)).resourceVersion;
  const fresh = kube.client.watch(CONFIG_MAPS, { resourceVersion: now, signal })[Symbol.asyncIterator]();
  const first = fresh.next();
  await Promise.resolve();
  await Promise.resolve();
  kube.sendBookmarks();
  assert.deepEqual((await first).value, { type: "BOOKMARK", resourceVersion: now, initialEventsEnd: false });
  const last = fresh.next();
  kube.endWatches();
  assert.equal((await last).done, true);
});

Deno.test("calls are recorded, can be made to fail, and the mapper knows what is served", async () => {
  const kube = new FakeKube();
  await assert.rejects(kube.mapper.resourceFor(CONFIG_MAPS), NoMatchError);
  kube.serve(CONFIG_MAPS);
  assert.equal(await kube.mapper.resourceFor(CONFIG_MAPS), CONFIG_MAPS);
  kube.intercept = ({ verb }) => {
    if (verb === "apply") throw new Error("Refused by the test");
  };
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "default" } };
  await assert.rejects(
    kube.client.apply(CONFIG_MAPS, object, { fieldManager: "engine" }),
    /Refused by the test/,
  );
  assert.deepEqual(kube.writes(), [{
    verb: "apply",
    subject: "ConfigMap default/a",
    fieldManager: "engine",
  }]);
});
