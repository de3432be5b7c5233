/** The end of an instance: order, what blocks it, what stays, and that no template is needed. */
import assert from "node:assert/strict";
import {
  AlreadyExistsError,
  ApiError,
  CONFIG_MAPS,
  ConflictError,
  ForbiddenError,
  InvalidError,
  NotFoundError,
} from "../kube/mod.ts";
import type { ObjectRef } from "../meta/mod.ts";
import { NAMES } from "../testing/builders.ts";
import { NAMESPACES, TestWorld } from "../testing/world.ts";

function map(name: string, more = ""): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: default}\n${more}`;
}
const NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n";
const IN_SHOP = map("inside").replace("default", "shop");
const A: ObjectRef = { group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "a" };
const B: ObjectRef = { ...A, name: "b" };

async function worldOf(templates: Readonly<Record<string, string>>): Promise<TestWorld> {
  const world = await TestWorld.start({ templates });
  await world.put("shop", {});
  await world.rest("shop");
  return world;
}

async function holdBack(world: TestWorld, ref: ObjectRef, finalizers: readonly string[]): Promise<void> {
  await world.kube.client.patch(CONFIG_MAPS, ref, { metadata: { finalizers } }, { fieldManager: "holder" });
}

Deno.test("everything goes in reverse order, then the history is closed, and the finalizer comes off last", async () => {
  await using world = await worldOf({
    "core/ns.yaml": NAMESPACE,
    "core/a.yaml": map("a"),
    "core/b.yaml": map("b"),
  });
  const record = world.recordObject("shop");
  await world.remove(world.things, world.thing("shop"));
  assert.deepEqual(await world.round("shop"), {});
  assert.deepEqual(world.sent(), [
    "delete ConfigMap default/b",
    "delete ConfigMap default/a",
    "delete Namespace shop",
    "create Event.events.k8s.io default/shop",
    `replace ConfigMap kube-system/${record?.metadata.name}`,
    "patch Thing.example.com shop",
  ]);
  assert.equal(world.kube.stored(world.thing("shop")), undefined);
  const { inventory, history } = world.record("shop") ?? {};
  assert.deepEqual(inventory, []);
  assert.deepEqual(history?.map(({ cause }) => cause), ["created", "deleted"]);
});

Deno.test("one that will not go keeps those before it, is named, and goes on when it is let go", async () => {
  await using world = await worldOf({ "core/a.yaml": map("a"), "core/b.yaml": map("b") });
  await holdBack(world, B, ["acme.example/hold"]);
  await world.remove(world.things, world.thing("shop"));
  assert.deepEqual(await world.round("shop"), { requeueAfterMs: 30_000 });
  assert.ok(world.kube.stored(A));
  await world.round("shop");
  assert.equal(
    world.ready("shop").replace(/since \S+,/, "since T,"),
    "False Deleting: Deleting, 2 objects left: ConfigMap default/b is being deleted since T, held by finalizer acme.example/hold",
  );
  assert.deepEqual(world.mustHave(world.thing("shop")).metadata.finalizers, [NAMES.finalizer]);
  await world.round("shop");
  assert.deepEqual(world.kube.calls, []);

  await holdBack(world, B, []);
  await world.round("shop");
  assert.equal(world.kube.stored(A), undefined);
  assert.equal(world.kube.stored(world.thing("shop")), undefined);
});

Deno.test("a delete that is refused is a failure, and tried again", async () => {
  await using world = await worldOf({ "core/a.yaml": map("a") });
  await world.remove(world.things, world.thing("shop"));
  world.kube.intercept = ({ verb }) => {
    if (verb === "delete") throw new ForbiddenError("Not allowed", { code: 403 });
  };
  assert.deepEqual(await world.round("shop"), { retry: true });
  assert.match(
    world.ready("shop"),
    /^False Deleting: Deleting, 1 objects left: Delete of ConfigMap default\/a: Not allowed/,
  );
  assert.ok(world.kube.stored(world.thing("shop")));
});

Deno.test("templates are not needed: not when they were refused, not when there are none", async () => {
  await using world = await worldOf({ "core/a.yaml": map("a") });
  await world.remove(world.things, world.thing("shop"));
  await using again = await TestWorld.start({ kube: world.kube });
  again.refuse("The folder is gone", { none: true });
  await again.round("shop");
  assert.equal(world.kube.stored(A), undefined);
  assert.equal(world.kube.stored(world.thing("shop")), undefined);
});

Deno.test("without a record, a new process finds what is ours by the kinds of the intent and by label", async () => {
  await using world = await worldOf({
    "core/ns.yaml": NAMESPACE,
    "core/in.yaml": IN_SHOP,
    "core/a.yaml": map("a"),
  });
  const name = world.recordObject("shop")?.metadata.name ?? "";
  await world.remove(CONFIG_MAPS, { ...A, namespace: "kube-system", name });
  await world.remove(world.things, world.thing("shop"));
  await using again = await TestWorld.start({ kube: world.kube });
  await again.round("shop");
  assert.deepEqual(world.kube.objects().map(({ kind }) => kind), ["Event", "Event"]);
});

Deno.test("what went is not deleted again while another one holds up", async () => {
  await using world = await worldOf({ "core/a.yaml": map("a"), "core/b.yaml": map("b") });
  await holdBack(world, A, ["acme.example/hold"]);
  await world.remove(world.things, world.thing("shop"));
  await world.round("shop");
  assert.deepEqual(world.record("shop")?.inventory.map(({ ref }) => ref.name), ["a"]);
  await world.round("shop");
  assert.deepEqual(world.kube.calls.filter(({ verb }) => verb === "delete"), []);
});

Deno.test("a kind that cannot be watched any more holds the end up, and the status says so", async () => {
  await using world = await worldOf({ "core/a.yaml": map("a") });
  await world.remove(world.things, world.thing("shop"));
  await using again = await TestWorld.start({ kube: world.kube });
  world.kube.intercept = ({ verb, subject }) => {
    if ((verb === "watch" || verb === "list") && subject === "ConfigMap") {
      throw new ForbiddenError("Watch of ConfigMaps was refused", { code: 403 });
    }
  };
  const round = again.round("shop");
  for (let second = 0; second <= 10; second++) await again.tick(1_000);
  assert.deepEqual(await round, { retry: true });
  assert.match(again.ready("shop"), /^False WatchFailed: Deleting: .*Watch of ConfigMaps was refused/);
  assert.ok(world.kube.stored(A));
});

Deno.test("`_keep` stays, and stays in the record for a next instance of this name", async () => {
  await using world = await worldOf({
    "core/a.yaml": map("a", "_keep: true\n"),
    "core/b.yaml": map("b"),
  });
  await world.remove(world.things, world.thing("shop"));
  await world.round("shop");
  assert.ok(world.kube.stored(A));
  assert.equal(world.kube.stored(B), undefined);
  assert.deepEqual(world.record("shop")?.inventory.map(({ ref }) => ref.name), ["a"]);

  const again = await world.put("shop", {});
  await world.rest("shop");
  assert.equal(world.mustHave(A).metadata.labels?.[NAMES.owner], again.metadata.uid);
  assert.match(world.ready("shop"), /^True/);
});

Deno.test("a namesake that somebody made since then is not touched", async () => {
  await using world = await worldOf({ "core/a.yaml": map("a") });
  await world.remove(CONFIG_MAPS, A);
  const { apiVersion, kind, metadata: { name, namespace } } = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: A,
  };
  await world.kube.client.create(CONFIG_MAPS, {
    apiVersion,
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    data: { theirs: "1" },
  }, { fieldManager: "somebody" });
  await world.remove(world.things, world.thing("shop"));
  await world.round("shop");
  assert.deepEqual(world.mustHave(A).data, { theirs: "1" });
  assert.equal(world.kube.stored(world.thing("shop")), undefined);
});

Deno.test("an instance that was being deleted before we saw it gets no finalizer and no objects", async () => {
  await using world = await TestWorld.start({ templates: { "core/a.yaml": map("a") } });
  await world.put("shop", {});
  await world.kube.client.patch(world.things, world.thing("shop"), {
    metadata: { finalizers: ["acme.example/x"] },
  }, {
    fieldManager: "holder",
  });
  await world.remove(world.things, world.thing("shop"));
  assert.deepEqual(await world.round("shop"), {});
  assert.deepEqual(world.kube.calls, []);
  assert.deepEqual(world.mustHave(world.thing("shop")).metadata.finalizers, ["acme.example/x"]);
});

Deno.test("a process that stops leaves the finalizer on", async () => {
  await using world = await worldOf({ "core/a.yaml": map("a"), "core/b.yaml": map("b") });
  await world.remove(world.things, world.thing("shop"));
  const stop = new AbortController();
  world.kube.intercept = () => stop.abort();
  await world.round("shop", stop.signal);
  assert.ok(world.kube.stored(A));
  assert.deepEqual(world.mustHave(world.thing("shop")).metadata.finalizers, [NAMES.finalizer]);
});

Deno.test("a crash between the last delete and the finalizer closes the history once", async () => {
  await using world = await worldOf({ "core/ns.yaml": NAMESPACE });
  await world.remove(world.things, world.thing("shop"));
  world.kube.intercept = ({ verb }) => {
    if (verb === "patch") throw new Error("Killed");
  };
  await assert.rejects(world.round("shop"), /Killed/);
  world.kube.intercept = () => {};
  await using again = await TestWorld.start({ kube: world.kube });
  await again.round("shop");
  assert.equal(world.kube.stored(world.thing("shop")), undefined);
  assert.deepEqual(world.record("shop")?.history.map(({ cause }) => cause), ["created", "deleted"]);
  assert.equal(world.kube.stored({ ...A, kind: NAMESPACES.kind, namespace: "", name: "shop" }), undefined);
});

Deno.test("a record that can never be saved does not hold the finalizer; what heals by itself is waited for", async () => {
  const failures: readonly (readonly [error: Error, isReleased: boolean])[] = [
    [new NotFoundError("The namespace is gone", { code: 404 }), true],
    [new AlreadyExistsError("Taken", { code: 409 }), true],
    [new InvalidError("Too long", { code: 422 }), true],
    [new ApiError("Too large a request", { code: 413 }), true],
    [new TypeError("Cannot read it"), true],
    [new ConflictError("Changed meanwhile", { code: 409 }), false],
    [new ForbiddenError("Not allowed (yet)", { code: 403 }), false],
    [new ApiError("No answer", { code: 0 }), false],
  ];
  for (const [error, isReleased] of failures) {
    await using world = await worldOf({ "core/a.yaml": map("a") });
    await world.remove(world.things, world.thing("shop"));
    world.kube.intercept = ({ verb }) => {
      if (verb === "replace") throw error;
    };
    if (isReleased) {
      assert.deepEqual(await world.round("shop"), {});
      assert.equal(world.kube.stored(world.thing("shop")), undefined, error.message);
      const line = world.logs.find((one) => one.includes(error.message));
      assert.match(line ?? "", /WARN.*record could not be saved/i);
    } else {
      await assert.rejects(world.round("shop"), error);
      assert.ok(world.kube.stored(world.thing("shop")), error.message);
      world.kube.intercept = () => {};
      await world.round("shop");
      assert.equal(world.record("shop")?.history.at(-1)?.cause, "deleted");
    }
  }
});

Deno.test("a record edited into nonsense neither stops rounds nor holds the finalizer", async () => {
  await using world = await worldOf({ "core/a.yaml": map("a") });
  await damage(world);
  await world.put("shop", { size: 2 });
  await world.rest("shop");
  assert.deepEqual(world.record("shop")?.history, []);

  await damage(world);
  await world.remove(world.things, world.thing("shop"));
  await world.round("shop");
  assert.equal(world.kube.stored(world.thing("shop")), undefined);
  assert.deepEqual(world.record("shop")?.history.map(({ cause }) => cause), ["deleted"]);
});

async function damage(world: TestWorld): Promise<void> {
  const { name = "" } = world.recordObject("shop")?.metadata ?? {};
  const weird = '[{"revision":1,"time":"x","by":[1],"changes":[null,{"path":1}],"counts":{"a":{}}}]';
  const data = { "history.json": weird };
  await world.kube.client.patch(CONFIG_MAPS, { ...A, namespace: "kube-system", name }, { data }, {
    fieldManager: "kubectl",
  });
}

Deno.test("an instance that got no further than its intent closes nothing of the one before it", async () => {
  await using world = await worldOf({ "core/a.yaml": map("a") });
  await world.remove(world.things, world.thing("shop"));
  await world.round("shop");
  const before = world.record("shop");
  assert.deepEqual(before?.history.map(({ cause }) => cause), ["created", "deleted"]);

  // Another generation than the one at which the first was deleted.
  await world.put("shop", { size: 1 });
  await world.put("shop", { size: 2 });
  await world.put("shop", { size: 3 });
  world.kube.intercept = ({ verb }) => {
    if (verb !== "patch") throw new Error("Killed");
  };
  await assert.rejects(world.round("shop"), /Killed/);
  world.kube.intercept = () => {};
  assert.deepEqual(world.mustHave(world.thing("shop")).metadata.finalizers, [NAMES.finalizer]);
  assert.deepEqual(world.record("shop"), before);

  await world.remove(world.things, world.thing("shop"));
  await world.round("shop");
  assert.equal(world.kube.stored(world.thing("shop")), undefined);
  assert.deepEqual(world.record("shop"), before);
});

Deno.test("nor when the one before it went without us: a record tells of the instance whose UID it holds", async () => {
  await using world = await worldOf({ "core/a.yaml": map("a", "_keep: true\n") });
  const thing = world.thing("shop");
  await world.kube.client.patch(world.things, thing, { metadata: { finalizers: null } }, {
    fieldManager: "somebody",
  });
  await world.remove(world.things, thing);
  await world.put("shop", { size: 2 });
  await world.kube.client.patch(world.things, thing, { metadata: { finalizers: [NAMES.finalizer] } }, {
    fieldManager: "somebody",
  });
  await world.remove(world.things, thing);
  await world.round("shop");
  assert.equal(world.kube.stored(thing), undefined);
  assert.deepEqual(world.record("shop")?.history.map(({ cause }) => cause), ["created"]);
});
