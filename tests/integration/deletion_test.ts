/**
 * Deletion never depends on templates, on luck or on the operator being there: everything an instance owns goes, in reverse order, and the finalizer
 * last. What others hold is left to them.
 */
import assert from "node:assert/strict";
import type { ObjectRef } from "../../engine/mod.ts";
import { configMapTemplate, type Fixture, fixture, statusOf } from "./fixture.ts";
import { conditionOf, holds, type RunningOperator, until } from "./harness.ts";
import { auditMark, requestsSince, writesOf } from "./requests.ts";

const FILES = {
  "core/a.yaml": configMapTemplate("a"),
  "core/b.yaml": configMapTemplate("b"),
  "core/c.yaml": configMapTemplate("c"),
};
const SUFFIXES = ["a", "b", "c"];

/** Three children exist, the operator is stopped, and then the instance is deleted. */
async function deletedWhileDown(world: Fixture, operator: RunningOperator): Promise<void> {
  await world.put("one");
  await world.ready("one");
  await operator.stop();
  await world.cluster.remove(world.thing.ref("one"));
  const left = await world.cluster.get(world.thing.ref("one"));
  assert.ok(left?.metadata.deletionTimestamp, "the finalizer holds it");
}

async function assertNothingLeft(world: Fixture): Promise<void> {
  for (const suffix of SUFFIXES) {
    assert.equal(await world.cluster.get(world.configMap(`one-${suffix}`)), undefined, suffix);
  }
}

Deno.test("deletion: while the operator is down: cleaned up at the next start, in reverse order, finalizer last", async () => {
  await using world = await fixture({ files: FILES });
  await deletedWhileDown(world, world.start());
  const from = await auditMark(world.cluster);
  await using operator = world.start();
  await world.gone("one");
  await assertNothingLeft(world);
  const writes = writesOf(await requestsSince(world.cluster, from, operator));
  const things = `things.${world.thing.group}`;
  assert.deepEqual(
    writes.filter((line) => !line.includes("events.k8s.io")).map((line) =>
      line.replace(/thing-one.*/, "(record)")
    ),
    [
      "delete configmaps/one-c",
      "delete configmaps/one-b",
      "delete configmaps/one-a",
      "update configmaps/(record)",
      `patch ${things}/one`,
    ],
  );
});

Deno.test("deletion: while the operator is down, and the templates are broken at the next start", async () => {
  await using world = await fixture({ files: FILES });
  await deletedWhileDown(world, world.start());
  await world.impl.write("core/a.yaml", "[% if %]");
  await world.impl.write("implementation.yaml", "crd: [broken");
  await using operator = world.start();
  await world.gone("one");
  await assertNothingLeft(world);
  assert.ok(operator.logs.some((line) => String(line.message).startsWith("Bundle refused")));
});

Deno.test("deletion: while the operator is down, and the template ConfigMaps are deleted too", async () => {
  await using world = await fixture({ files: FILES });
  const { cluster, namespace, thing } = world;
  const maps = ["impl", "core"].map((name) => world.configMap(name));
  const crd = `crd: {group: ${thing.group}, version: v1, kind: Thing, plural: things}`;
  await cluster.apply({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "impl", namespace },
    data: {
      "implementation.yaml":
        `${crd}\nnamespaces: [${namespace}]\ntemplates: [core/a.yaml, core/b.yaml, core/c.yaml]\n`,
    },
  });
  await cluster.apply({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "core", namespace },
    data: Object.fromEntries(Object.entries(FILES).map(([name, text]) => [name.slice("core/".length), text])),
  });
  const implementations = [`configmap:${namespace}/impl`];
  await deletedWhileDown(world, world.start({ implementations }));
  for (const ref of maps) await cluster.remove(ref);
  await using _operator = world.start({ implementations });
  await world.gone("one");
  await assertNothingLeft(world);
});

Deno.test("deletion: a child that will not go holds up its own instance only, and few requests are made", async () => {
  await using world = await fixture({ files: FILES });
  const { cluster, thing } = world;
  await using operator = world.start();
  for (const name of ["one", "two"]) await world.put(name);
  for (const name of ["one", "two"]) await world.ready(name);
  const held = world.configMap("one-b");
  await cluster.patch(held, { metadata: { finalizers: ["example.com/hold"] } });
  const from = await auditMark(cluster);
  await cluster.remove(thing.ref("one"));
  try {
    const message = await until("the condition names child and finalizer", async () => {
      const ready = conditionOf(await cluster.get(thing.ref("one")), "Ready");
      const text = String(ready?.message);
      return ready?.reason === "Deleting" && text.includes("example.com/hold") ? text : undefined;
    });
    assert.match(message, /one-b/);
    await world.put("two", { v: "2" });
    assert.equal(statusOf(await world.ready("two")).revision, 2);
    await cluster.remove(thing.ref("two"));
    await world.gone("two");
    await holds("it waits", async () => await cluster.get(thing.ref("one")) !== undefined, 3_000);
    const asked = (await requestsSince(cluster, from, operator)).filter(({ name, verb }) =>
      verb !== "watch" && (name === "one" || name.startsWith("one"))
    );
    const lines = asked.map(({ verb, resource, name }) => `${verb} ${resource}/${name}`);
    assert.ok(lines.length < 10, `under 10 requests while it waits: ${lines.join(", ")}`);
    assert.ok(await cluster.get(world.configMap("one-a")), "what comes after it in the order waits too");
  } finally {
    await cluster.patch(held, { metadata: { finalizers: null } });
  }
  await world.gone("one");
  await assertNothingLeft(world);
});

Deno.test("deletion: an instance with a foreign finalizer that is already being deleted when it is first seen", async () => {
  await using world = await fixture({ files: FILES });
  const { cluster, thing } = world;
  const ref: ObjectRef = thing.ref("one");
  const instance = thing.instance("one", {});
  await cluster.apply({ ...instance, metadata: { ...instance.metadata, finalizers: ["example.com/hold"] } });
  await cluster.remove(ref);
  const before = await cluster.get(ref);
  const from = await auditMark(cluster);
  await using operator = world.start();
  await world.put("two");
  await world.ready("two");
  const writes = writesOf(await requestsSince(cluster, from, operator));
  assert.deepEqual(writes.filter((line) => /\/(one|thing-one)/.test(line)), []);
  const after = await cluster.get(ref);
  assert.equal(after?.metadata.resourceVersion, before?.metadata.resourceVersion);
  await assertNothingLeft(world);
  await cluster.patch(ref, { metadata: { finalizers: null } });
  await world.gone("one");
});
