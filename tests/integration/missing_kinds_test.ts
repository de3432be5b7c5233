/** What is not there yet is waited for, said, and gone on with once it comes, without a restart; and nothing half is made meanwhile. */
import assert from "node:assert/strict";
import type { ObjectRef } from "../../engine/mod.ts";
import { uniqueName } from "./control_plane.ts";
import { configMapTemplate, eventsAbout, fixture, install, uninstall } from "./fixture.ts";
import { holds, type Toy, toy, until } from "./harness.ts";
import { auditMark, requestsSince, writesOf } from "./requests.ts";

function objectOf(kind: Toy): string {
  return `
apiVersion: ${kind.group}/v1
kind: Thing
metadata: {name: [{ name }]-[{ operator.namespace }]}
spec: {a: 1}
`;
}

Deno.test("missing kinds: the instance's own CRD comes after the operator", async () => {
  await using world = await fixture({ files: { "core/a.yaml": configMapTemplate("a") }, crd: () => "" });
  await using operator = world.start();
  const { group } = world.thing;
  const waits = await until(
    "the log says so",
    () => operator.logs.find((line) => String(line.message).startsWith("Waits for its CRD")),
  );
  assert.match(String(waits.message), new RegExp(`things\\.${group}`));
  await install(world.cluster, world.thing);
  await world.put("one");
  await world.ready("one");
  assert.ok(await world.cluster.get(world.configMap("one-a")));
});

Deno.test("missing kinds: a child's CRD comes later; nothing of that instance is applied before, others go on", async () => {
  const other = toy();
  await using world = await fixture({
    files: {
      "core/a.yaml": configMapTemplate("a"),
      "core/other.yaml": `[% if spec.other %]${objectOf(other)}[% endif %]`,
    },
  });
  const { cluster } = world;
  await using operator = world.start();
  const child: ObjectRef = other.ref(`one-${world.namespace}`);
  try {
    const from = await auditMark(cluster);
    await world.put("one", { other: true });
    const condition = await world.condition("one", "Ready", "UnknownKind");
    assert.match(String(condition.message), /core\/other\.yaml line \d+.*Thing/);
    assert.match(String(condition.message), new RegExp(other.group.replaceAll(".", "\\.")));
    assert.equal((await world.condition("one", "Reconciling", "UnknownKind")).status, "True");
    assert.equal((await world.condition("one", "Stalled", "Idle")).status, "False");
    assert.ok(
      operator.logs.some((line) => String(line.message).startsWith("UnknownKind: ")),
      "the log says so",
    );
    await until(
      "an Event says so",
      async () =>
        (await eventsAbout(cluster, world.thing.ref("one"))).find((event) => event.reason === "UnknownKind"),
    );
    await world.put("two");
    await world.ready("two");
    await holds(
      "nothing of it is applied",
      async () => await cluster.get(world.configMap("one-a")) === undefined,
      2_500,
    );
    const writes = writesOf(await requestsSince(cluster, from, operator));
    const statuses = writes.filter((line) => line === `patch things.${world.thing.group}/status/one`);
    assert.equal(statuses.length, 1, `waiting writes one status: ${writes.join(", ")}`);

    await install(cluster, other);
    await world.ready("one");
    assert.ok(await cluster.get(world.configMap("one-a")));
    assert.ok(await cluster.get(child));
    await cluster.remove(world.thing.ref("one"));
    await world.gone("one");
    assert.equal(await cluster.get(child), undefined);
  } finally {
    await uninstall(cluster, other);
  }
});

Deno.test("missing kinds: a CRD and its object in one render, both within 30 s", async () => {
  const other = toy();
  await using world = await fixture({
    files: {
      "core/object.yaml": objectOf(other),
      "core/crd.yaml": other.crd,
      "core/a.yaml": configMapTemplate("a"),
    },
  });
  const { cluster } = world;
  await using _operator = world.start();
  try {
    await world.put("one");
    await world.ready("one", 30_000);
    assert.ok(await cluster.get(other.ref(`one-${world.namespace}`)));
    assert.ok(await cluster.get(world.configMap("one-a")));
    await cluster.remove(world.thing.ref("one"));
    await world.gone("one", 30_000);
    await until("the CRD is gone", async () => {
      const crd = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" };
      return await cluster.get({ ...crd, name: `things.${other.group}` }) === undefined || undefined;
    });
  } finally {
    await uninstall(cluster, other);
  }
});

Deno.test("missing kinds: a Namespace rendered after its content", async () => {
  const home = uniqueName("home");
  await using world = await fixture({
    files: {
      "core/content.yaml": `
apiVersion: v1
kind: ConfigMap
metadata: {name: content, namespace: ${home}}
`,
      "core/namespace.yaml": `
apiVersion: v1
kind: Namespace
metadata: {name: ${home}}
`,
    },
  });
  await using operator = world.start();
  const from = await auditMark(world.cluster);
  await world.put("one");
  await world.ready("one");
  const events = await requestsSince(world.cluster, from, operator);
  const made = events.filter(({ name, verb }) => verb === "patch" && (name === home || name === "content"));
  assert.deepEqual(made.map(({ name, code }) => [name, code]), [[home, 201], ["content", 201]]);
});
