/** The whole story of an instance, on the fake API server: which calls a round sends, in which order, and what is stored after it. */
import assert from "node:assert/strict";
import { CONFIG_MAPS, ForbiddenError, InvalidError } from "../kube/mod.ts";
import type { ObjectRef } from "../meta/mod.ts";
import { NAMES, resource } from "../testing/builders.ts";
import { NAMESPACES, TestWorld } from "../testing/world.ts";

const TWO = `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: [{ name }]}
data: {size: "[{ spec.size }]"}
---
apiVersion: v1
kind: Namespace
metadata: {name: [{ name }]}
`;
const EXTRA = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: extra, namespace: [{ name }]}\n";
const BROKEN = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: [{ spec.no.such }]}\n";
const SHOP: ObjectRef = { group: "", version: "v1", kind: "Namespace", name: "shop" };
const SETTINGS: ObjectRef = { ...SHOP, kind: "ConfigMap", namespace: "shop", name: "settings" };
const EXTRA_REF: ObjectRef = { ...SETTINGS, name: "extra" };

function dataOf(world: TestWorld, ref: ObjectRef): Record<string, unknown> {
  return Object(world.mustHave(ref).data);
}

async function shopOf(templates: Readonly<Record<string, string>>): Promise<TestWorld> {
  const world = await TestWorld.start({ templates });
  await world.put("shop", { size: 1 });
  await world.rest("shop");
  return world;
}

Deno.test("a new instance: intent, children in order, one Event, record, status; the next round sends nothing", async () => {
  await using world = await TestWorld.start({ templates: { "core/two.yaml": TWO } });
  await world.put("shop", { size: 1 });
  assert.deepEqual(await world.round("shop"), {});
  assert.deepEqual(world.sent(), [
    "patch Thing.example.com shop",
    "apply Namespace shop",
    "apply ConfigMap shop/settings",
    "create Event.events.k8s.io default/shop",
    `create ConfigMap kube-system/${world.recordObject("shop")?.metadata.name}`,
    "apply Thing.example.com shop",
  ]);
  const { metadata } = world.mustHave(world.thing("shop"));
  assert.deepEqual(metadata.finalizers, [NAMES.finalizer]);
  assert.equal(metadata.annotations?.[NAMES.kinds], "v1/ConfigMap,v1/Namespace");
  assert.deepEqual(dataOf(world, SETTINGS), { size: "1" });
  assert.equal(world.ready("shop"), "True Applied: 2 objects are as rendered");
  assert.deepEqual(world.record("shop")?.inventory.map(({ ref }) => ref.kind), ["Namespace", "ConfigMap"]);

  assert.deepEqual(await world.round("shop"), {});
  assert.deepEqual(world.kube.calls, []);
});

Deno.test("an instance at rest is not even rendered, until its spec, a child or the templates change", async () => {
  await using world = await shopOf({ "core/two.yaml": TWO });
  const before = world.renders;
  await world.round("shop");
  assert.equal(world.renders, before);

  await world.put("shop", { size: 2 });
  await world.round("shop");
  assert.deepEqual(dataOf(world, SETTINGS), { size: "2" });
  await world.rest("shop");

  const rival = { fieldManager: "rival" };
  await world.kube.client.patch(CONFIG_MAPS, SETTINGS, { data: { size: "9" } }, rival);
  await world.round("shop");
  assert.deepEqual(dataOf(world, SETTINGS), { size: "2" });
  assert.ok(world.eventReasons().includes("Repaired"));
  await world.rest("shop");

  const atRest = world.renders;
  await world.load({ "core/two.yaml": TWO, "core/extra.yaml": EXTRA });
  await world.round("shop");
  assert.ok(world.renders > atRest);
  assert.ok(world.kube.stored(EXTRA_REF));
});

Deno.test("a new process sends nothing for an instance that is as it was left", async () => {
  await using world = await shopOf({ "core/two.yaml": TWO });
  await using again = await TestWorld.start({ kube: world.kube, templates: { "core/two.yaml": TWO } });
  await again.round("shop");
  assert.deepEqual(again.sent(), []);
});

Deno.test("a crash before the record, and other templates since then: what was made is found by the kinds of the intent", async () => {
  const gizmo = "apiVersion: acme.example/v1\nkind: Gizmo\nmetadata: {name: g}\n";
  const gizmos = resource("Gizmo", { group: "acme.example", namespaced: false });
  const ref: ObjectRef = { group: "acme.example", version: "v1", kind: "Gizmo", name: "g" };
  await using world = await TestWorld.start({ templates: { "core/gizmo.yaml": gizmo }, served: [gizmos] });
  await world.put("shop", { size: 1 });
  world.kube.intercept = ({ verb, subject }) => {
    if (verb === "create" && subject.startsWith("ConfigMap kube-system/")) throw new Error("Killed");
  };
  await assert.rejects(world.round("shop"), /Killed/);
  assert.ok(world.kube.stored(ref));

  await using again = await TestWorld.start({ kube: world.kube, templates: { "core/two.yaml": TWO } });
  world.kube.intercept = ({ verb, subject }) => {
    if (verb === "apply" && subject === "ConfigMap shop/settings") throw new Error("Killed");
  };
  assert.deepEqual(await again.round("shop"), { retry: true });
  // Not pruned yet: the next process has to find it, too.
  const kinds = () => world.mustHave(world.thing("shop")).metadata.annotations?.[NAMES.kinds];
  assert.equal(kinds(), "acme.example/v1/Gizmo,v1/ConfigMap,v1/Namespace");

  world.kube.intercept = () => {};
  await again.rest("shop");
  assert.equal(world.kube.stored(ref), undefined);
});

Deno.test("an instance that renders nothing gets no finalizer", async () => {
  await using world = await TestWorld.start({ templates: { "core/nothing.yaml": "# nothing\n" } });
  await world.put("shop", { size: 1 });
  await world.rest("shop");
  assert.equal(world.mustHave(world.thing("shop")).metadata.finalizers, undefined);
  assert.equal(world.ready("shop"), "True Applied: 0 objects are as rendered");
});

Deno.test("an update of one child costs its apply, an Event, the record and the status", async () => {
  await using world = await shopOf({ "core/two.yaml": TWO });
  await world.put("shop", { size: 2 });
  await world.round("shop");
  assert.equal(world.sent().length, 4, world.sent().join(", "));
});

Deno.test("a broken template: no write but the status and an Event, and nothing is taken away", async () => {
  await using world = await shopOf({ "core/two.yaml": TWO, "core/extra.yaml": EXTRA });
  await world.load({ "core/two.yaml": TWO, "core/broken.yaml": BROKEN });
  assert.deepEqual(await world.round("shop"), {});
  assert.deepEqual(world.sent(), ["apply Thing.example.com shop", "create Event.events.k8s.io default/shop"]);
  assert.match(world.ready("shop"), /^False RenderFailed: core\/broken.yaml line 3/);
  assert.match(world.condition("Stalled", "shop"), /^True RenderFailed/);
  assert.ok(world.kube.stored(EXTRA_REF));
  await world.round("shop");
  assert.deepEqual(world.kube.calls, []);
});

Deno.test("no bundle at all, and a refused newer one, are said", async () => {
  await using world = await TestWorld.start();
  await world.put("shop", { size: 1 });
  await world.round("shop");
  assert.equal(world.ready("shop"), "False BundleRefused: The implementation is not loaded yet");
  assert.equal(world.mustHave(world.thing("shop")).metadata.finalizers, undefined);

  await world.load({ "core/two.yaml": TWO });
  world.refuse("core/two.yaml line 1: x");
  await world.rest("shop");
  assert.match(world.ready("shop"), /^True Applied/);
  assert.match(world.condition("Stalled", "shop"), /^True BundleRefused: .*line 1: x/);
});

Deno.test("an unknown kind holds the whole render back, and is looked for again", async () => {
  const gizmo = "apiVersion: acme.example/v1\nkind: Gizmo\nmetadata: {name: g}\n";
  await using world = await TestWorld.start({
    templates: { "core/two.yaml": TWO, "core/gizmo.yaml": gizmo },
  });
  await world.put("shop", { size: 1 });
  assert.deepEqual(await world.round("shop"), { requeueAfterMs: 2_000 });
  assert.deepEqual(world.sent(), ["apply Thing.example.com shop", "create Event.events.k8s.io default/shop"]);
  assert.match(world.ready("shop"), /^False UnknownKind: core\/gizmo.yaml line 1: Gizmo g: /);

  world.kube.serve(resource("Gizmo", { group: "acme.example", namespaced: false }));
  await world.rest("shop");
  assert.match(world.ready("shop"), /^True Applied: 3 objects/);
});

Deno.test("a namespace that is not the instance's to write to stops the whole render", async () => {
  const foreign = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, namespace: bank}\n";
  await using world = await TestWorld.start({ templates: { "core/two.yaml": TWO, "core/x.yaml": foreign } });
  await world.put("shop", { size: 1 });
  assert.deepEqual(await world.round("shop"), {});
  assert.deepEqual(world.sent(), ["apply Thing.example.com shop", "create Event.events.k8s.io default/shop"]);
  assert.match(world.ready("shop"), /^False ForeignNamespace: .*namespace bank/);
});

Deno.test("what is no longer rendered goes in the same round, but only after all else is applied", async () => {
  await using world = await shopOf({ "core/two.yaml": TWO, "core/extra.yaml": EXTRA });
  world.kube.intercept = ({ verb, subject }) => {
    if (verb === "apply" && subject === "ConfigMap shop/settings") {
      throw new InvalidError("Refused by a policy", { code: 422, reason: "Invalid" });
    }
  };
  await world.load({ "core/two.yaml": TWO.replace("size:", "width:") });
  assert.deepEqual(await world.round("shop"), { retry: true });
  assert.ok(world.kube.stored(EXTRA_REF));
  assert.match(world.ready("shop"), /^False ApplyFailed: .*ConfigMap shop\/settings: Refused by a policy/);
  assert.equal(world.record("shop")?.inventory.length, 3);

  world.kube.intercept = () => {};
  assert.deepEqual(await world.round("shop"), {});
  assert.equal(world.kube.stored(EXTRA_REF), undefined);
  assert.deepEqual(world.record("shop")?.inventory.map(({ ref }) => ref.name), ["shop", "settings"]);
});

Deno.test("a foreign object is left alone, named, and looked at again", async () => {
  await using world = await TestWorld.start({ templates: { "core/two.yaml": TWO } });
  await world.kube.client.create(NAMESPACES, {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "shop" },
  }, {
    fieldManager: "kubectl",
  });
  await world.put("shop", { size: 1 });
  const before = world.mustHave(SHOP).metadata.resourceVersion;
  assert.deepEqual(await world.round("shop"), { requeueAfterMs: 10_000 });
  assert.equal(world.mustHave(SHOP).metadata.resourceVersion, before);
  assert.equal(world.kube.stored(SETTINGS), undefined);
  assert.match(world.ready("shop"), /^False NotOwned: .*Namespace shop: Exists already and is not ours/);
});

Deno.test("a record that was edited into nonsense is made anew from labels", async () => {
  await using world = await shopOf({ "core/two.yaml": TWO, "core/extra.yaml": EXTRA });
  const { metadata: { name } } = world.recordObject("shop") ?? { metadata: { name: "" } };
  const ref: ObjectRef = { ...SETTINGS, namespace: "kube-system", name };
  const nonsense = { data: { "inventory.json": "{[", "state.json": "no" } };
  await world.kube.client.patch(CONFIG_MAPS, ref, nonsense, { fieldManager: "vandal" });
  await world.load({ "core/two.yaml": TWO });
  await world.rest("shop");
  assert.equal(world.kube.stored(EXTRA_REF), undefined);
  assert.deepEqual(world.record("shop")?.inventory.map((entry) => entry.ref.name), ["shop", "settings"]);
  // Revisions go on where the status last showed them.
  assert.equal(world.record("shop")?.revision, 2);
  assert.ok(world.logs.some((line) => line.includes("inventory.json")));
});

Deno.test("a record that is gone costs no child: all are found by label", async () => {
  await using world = await shopOf({ "core/two.yaml": TWO, "core/extra.yaml": EXTRA });
  const { metadata: { name } } = world.recordObject("shop") ?? { metadata: { name: "" } };
  await world.remove(CONFIG_MAPS, { ...SETTINGS, namespace: "kube-system", name });
  await world.load({ "core/two.yaml": TWO });
  await world.rest("shop");
  assert.equal(world.kube.stored(EXTRA_REF), undefined);
  assert.equal(world.record("shop")?.inventory.length, 2);
});

Deno.test("an instance that is deleted in the middle of its round gets nothing more, and its objects are found again", async () => {
  await using world = await TestWorld.start({ templates: { "core/two.yaml": TWO } });
  await world.put("shop", { size: 1 });
  let isDeleted = false;
  world.kube.intercept = async ({ verb, subject }) => {
    if (isDeleted || verb !== "apply" || subject !== "Namespace shop") return;
    isDeleted = true;
    await world.remove(world.things, world.thing("shop"));
    await world.inStep();
  };
  assert.deepEqual(await world.round("shop"), {});
  assert.ok(world.kube.stored(SHOP));
  assert.equal(world.kube.stored(SETTINGS), undefined);
  assert.equal(world.recordObject("shop"), undefined);

  await world.round("shop");
  assert.equal(world.kube.stored(SHOP), undefined);
  assert.equal(world.kube.stored(world.thing("shop")), undefined);
});

Deno.test("a process that is told to stop ends its round between two objects", async () => {
  await using world = await TestWorld.start({ templates: { "core/two.yaml": TWO } });
  await world.put("shop", { size: 1 });
  const stop = new AbortController();
  world.kube.intercept = ({ subject }) => {
    if (subject === "Namespace shop") stop.abort();
  };
  await world.round("shop", stop.signal);
  assert.ok(world.kube.stored(SHOP));
  assert.equal(world.kube.stored(SETTINGS), undefined);
  assert.equal(world.record("shop")?.inventory.length, 1);
  assert.equal(world.mustHave(world.thing("shop")).status, undefined);
});

Deno.test("what is not about one object is said in the status and tried again", async () => {
  await using world = await TestWorld.start({ templates: { "core/two.yaml": TWO } });
  await world.put("shop", { size: 1 });
  world.kube.intercept = ({ verb, subject }) => {
    if (verb === "create" && subject.startsWith("ConfigMap kube-system/")) {
      throw new ForbiddenError("Create of the record was refused", { code: 403 });
    }
  };
  await assert.rejects(world.round("shop"), ForbiddenError);
  assert.equal(world.ready("shop"), "False ForbiddenError: Create of the record was refused");
});

Deno.test("a kind that cannot be watched is a failure with its reason, and nothing is applied", async () => {
  await using world = await TestWorld.start({ templates: { "core/two.yaml": TWO } });
  await world.put("shop", { size: 1 });
  world.kube.intercept = ({ verb, subject }) => {
    if ((verb === "watch" || verb === "list") && subject === "Namespace") {
      throw new ForbiddenError("Watch of Namespaces was refused", { code: 403 });
    }
  };
  const round = world.round("shop");
  for (let second = 0; second <= 10; second++) await world.tick(1_000);
  assert.deepEqual(await round, { retry: true });
  assert.match(world.ready("shop"), /^False WatchFailed: .*Watch of Namespaces was refused/);
  assert.equal(world.kube.stored(SHOP), undefined);
});

Deno.test("an instance that is not there is nothing to do", async () => {
  await using world = await TestWorld.start({ templates: { "core/two.yaml": TWO } });
  assert.deepEqual(await world.round("nobody"), {});
  assert.deepEqual(world.kube.calls, []);
});

Deno.test("a round that is cut short before it did anything writes nothing: the next start has nothing to put right", async () => {
  const templates = { "core/two.yaml": TWO };
  await using before = await shopOf(templates);
  await using world = await TestWorld.start({ templates, kube: before.kube });
  world.kube.calls.length = 0;
  await world.round("shop", AbortSignal.abort());
  assert.deepEqual(world.sent(), []);
  assert.equal(world.record("shop")?.history.at(-1)?.result, "complete");
});
