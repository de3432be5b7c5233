import assert from "node:assert/strict";
import { ConflictError } from "../kube/mod.ts";
import type { GroupVersionKind } from "../meta/mod.ts";
import { NAMES } from "../testing/builders.ts";
import { TestWorld } from "../testing/world.ts";
import { intendedKinds, recordIntent, releaseInstance } from "./intent.ts";
import { instanceOf } from "./round.ts";
import type { Instance } from "./world.ts";

const MAPS: GroupVersionKind = { group: "", version: "v1", kind: "ConfigMap" };
const WEB: GroupVersionKind = { group: "apps", version: "v1", kind: "Deployment" };
const HOLDER = { fieldManager: "holder" };

async function worldOf() {
  const world = await TestWorld.start();
  await world.put("one", {});
  await world.inStep();
  world.kube.calls.length = 0;
  /** The instance as the caches show it. */
  const read = (): Instance => {
    const seen = world.ports.instances.read({ name: "one" });
    assert.ok(seen);
    return instanceOf({ name: "one" }, seen.object, seen.text);
  };
  return { world, read, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

Deno.test("finalizer and kinds come in one patch, once, and the caches know at once", async () => {
  await using over = await worldOf();
  const { world, read } = over;
  const written = await recordIntent(read(), [WEB, MAPS, MAPS], world.ports);
  assert.deepEqual(world.kube.calls.map(({ verb }) => verb), ["patch"]);
  assert.deepEqual(written.object.metadata.finalizers, [NAMES.finalizer]);
  assert.equal(written.object.metadata.annotations?.[NAMES.kinds], "apps/v1/Deployment,v1/ConfigMap");
  assert.equal(JSON.parse(written.text).metadata.finalizers[0], NAMES.finalizer);
  assert.equal(read().object.metadata.resourceVersion, written.object.metadata.resourceVersion);
  assert.equal(await recordIntent(written, [MAPS], world.ports), written);
  assert.equal(world.kube.calls.length, 1);
});

Deno.test("a kind more is written with those that are still meant; finalizers of others stay", async () => {
  await using over = await worldOf();
  const { world, read } = over;
  await world.kube.client.patch(world.things, world.thing("one"), {
    metadata: { finalizers: ["acme.example/x"] },
  }, HOLDER);
  await world.inStep();
  await recordIntent(read(), [MAPS], world.ports);
  const { object } = await recordIntent(read(), [MAPS, WEB], world.ports);
  assert.deepEqual(object.metadata.finalizers, ["acme.example/x", NAMES.finalizer]);
  assert.deepEqual(intendedKinds(instanceOf({ name: "one" }, object, ""), NAMES.kinds), [WEB, MAPS]);
});

Deno.test("a finalizer that somebody took off comes back, also when no kind is new", async () => {
  await using over = await worldOf();
  const { world, read } = over;
  await recordIntent(read(), [MAPS], world.ports);
  await world.kube.client.patch(world.things, world.thing("one"), { metadata: { finalizers: [] } }, HOLDER);
  await world.inStep();
  const { object } = await recordIntent(read(), [MAPS], world.ports);
  assert.deepEqual(object.metadata.finalizers, [NAMES.finalizer]);
});

Deno.test("an instance that changed since it was read is not written over", async () => {
  await using over = await worldOf();
  const { world, read } = over;
  const old = read();
  await world.put("one", { size: 2 });
  await assert.rejects(recordIntent(old, [MAPS], world.ports), ConflictError);
  await assert.rejects(
    releaseInstance({
      ...old,
      object: { ...old.object, metadata: { ...old.object.metadata, finalizers: [NAMES.finalizer] } },
    }, world.ports),
    ConflictError,
  );
});

Deno.test("an annotation that was edited into nonsense names what can be read", async () => {
  await using over = await worldOf();
  const { object } = over.read();
  const annotated = (text: string) =>
    intendedKinds(
      instanceOf({ name: "one" }, {
        ...object,
        metadata: { ...object.metadata, annotations: { [NAMES.kinds]: text } },
      }, ""),
      NAMES.kinds,
    );
  assert.deepEqual(annotated("nonsense,,/x,apps/v1/Deployment"), [WEB]);
  assert.deepEqual(annotated(""), []);
});

Deno.test("releasing takes just our finalizer off, and the caches lose an instance that has no other", async () => {
  await using over = await worldOf();
  const { world, read } = over;
  await recordIntent(read(), [MAPS], world.ports);
  await world.remove(world.things, world.thing("one"));
  await world.inStep();
  await releaseInstance(read(), world.ports);
  assert.equal(world.kube.stored(world.thing("one")), undefined);
  assert.equal(world.ports.instances.read({ name: "one" }), undefined);
});

Deno.test("an instance without our finalizer is left alone", async () => {
  await using over = await worldOf();
  await releaseInstance(over.read(), over.world.ports);
  assert.deepEqual(over.world.kube.calls, []);
});
