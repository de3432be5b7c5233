/** The same program serves any CRD: namespaced, without a status subresource, with a schema that knows no status, and names as long as they may be. */
import assert from "node:assert/strict";
import type { ObjectRef } from "../../engine/mod.ts";
import { uniqueName } from "./control_plane.ts";
import { configMapRef, configMapTemplate, dataOf, eventsAbout, fixture } from "./fixture.ts";
import { until } from "./harness.ts";
import { auditMark, requestsSince, untilStill, writesOf } from "./requests.ts";

const STATUS_SCHEMA = "            status: {type: object, x-kubernetes-preserve-unknown-fields: true}\n";
const SUBRESOURCE = "      subresources: {status: {}}\n";

/** Long enough for a loop to show: a round takes some tens of milliseconds. */
const LOOP_MS = 2_000;

/** `text` without `part`, which has to be there. */
function without(text: string, part: string): string {
  assert.ok(text.includes(part), part);
  return text.replace(part, "");
}

Deno.test("toy: a namespaced CRD; owner references only where they are allowed, and all goes with the instance", async () => {
  const elsewhere = uniqueName("elsewhere");
  const role = `role-${elsewhere}`;
  await using world = await fixture({
    namespaced: true,
    files: {
      "core/near.yaml":
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: near}\ndata: {v: [{ spec.v | tojson }]}\n",
      "core/far.yaml": `
apiVersion: v1
kind: ConfigMap
metadata: {name: far, namespace: ${elsewhere}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: ${role}}
rules: []
`,
    },
  });
  const { cluster, namespace, thing } = world;
  const namespaceRef: ObjectRef = { group: "", version: "v1", kind: "Namespace", name: elsewhere };
  await cluster.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: elsewhere } });
  await world.impl.order(["core/near.yaml", "core/far.yaml"], `namespaces: [${elsewhere}]`);
  await using _operator = world.start();
  try {
    await world.put("one", { v: "1" });
    const { metadata: { uid } } = await world.ready("one");
    const near = await cluster.get(world.configMap("near"));
    const far = await cluster.get(configMapRef("far", elsewhere));
    const clusterRole: ObjectRef = {
      group: "rbac.authorization.k8s.io",
      version: "v1",
      kind: "ClusterRole",
      name: role,
    };
    assert.deepEqual(dataOf(near), { v: "1" });
    assert.deepEqual(near?.metadata.ownerReferences, [{
      apiVersion: `${thing.group}/v1`,
      kind: "Thing",
      name: "one",
      uid,
      controller: true,
    }]);
    for (const object of [far, await cluster.get(clusterRole)]) {
      assert.equal(object?.metadata.ownerReferences, undefined, object?.kind);
      assert.equal(object?.metadata.labels?.["generic-operator.io/owner"], uid, object?.kind);
    }
    await cluster.remove(thing.ref("one", namespace));
    await world.gone("one");
    for (const ref of [world.configMap("near"), configMapRef("far", elsewhere), clusterRole]) {
      assert.equal(await cluster.get(ref), undefined, ref.name);
    }
  } finally {
    await cluster.remove(namespaceRef);
  }
});

Deno.test("toy: a namespaced instance may not write to a namespace that nobody declared", async () => {
  await using world = await fixture({
    namespaced: true,
    files: {
      "core/far.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: far, namespace: default}\n",
    },
  });
  await world.impl.order(["core/far.yaml"]);
  await using _operator = world.start();
  await world.put("one");
  const condition = await world.condition("one", "Ready", "ForeignNamespace");
  assert.match(String(condition.message), /core\/far\.yaml line 1.*namespace default.*namespaces:/);
});

for (
  const { name, crd } of [
    { name: "a CRD without the status subresource", crd: (text: string) => without(text, SUBRESOURCE) },
    { name: "a CRD whose schema knows no status", crd: (text: string) => without(text, STATUS_SCHEMA) },
    { name: "neither", crd: (text: string) => without(without(text, SUBRESOURCE), STATUS_SCHEMA) },
  ]
) {
  Deno.test(`toy: ${name}: objects are applied, kept and taken back, and nothing loops`, async () => {
    const wrong =
      "[% if spec.wrong %]apiVersion: v1\nkind: Service\nmetadata: {name: wrong, namespace: [{ operator.namespace }]}\n" +
      "spec: {type: NoSuchType}\n[% endif %]";
    await using world = await fixture({
      files: { "core/a.yaml": configMapTemplate("a"), "core/wrong.yaml": wrong },
      crd,
    });
    const { cluster, thing } = world;
    const start = await auditMark(cluster);
    await using operator = world.start();
    const shows = (v: string) =>
      until(
        `data of ${v}`,
        async () => dataOf(await cluster.get(world.configMap("one-a"))).v === v || undefined,
      );
    const events = () => eventsAbout(cluster, world.thing.ref("one"));
    await world.put("one", { v: "1" });
    await shows("1");
    await until("the Event", async () => (await events()).length > 0 || undefined);
    const { metadata: { generation } } = await until("the instance", () => cluster.get(thing.ref("one")));
    assert.equal(generation, 1, "its spec is not touched");
    await world.put("one", { v: "2" });
    await shows("2");
    await cluster.remove(world.configMap("one-a"));
    await shows("2");
    await until(
      "the repair's Event",
      async () => (await events()).find((event) => event.reason === "Repaired"),
    );
    await world.put("one", { v: "3", wrong: true });
    const said = await until(
      "what is wrong is told by an Event",
      async () => (await events()).find((event) => event.reason === "ApplyFailed"),
    );
    assert.match(said.note, /core\/wrong\.yaml.*Service.*NoSuchType/);
    assert.ok(
      operator.logs.some((line) => String(line.message).startsWith("ApplyFailed: ")),
      "and by the log",
    );
    await world.put("one", { v: "2" });
    await until("it is Ready, as the log tells", () => {
      const [last] = operator.logs.filter((line) => /^(Ready|ApplyFailed): /.test(String(line.message)))
        .slice(-1);
      return String(last?.message).startsWith("Ready") || undefined;
    });
    await untilStill(cluster, start, operator);
    const from = await auditMark(cluster);
    await new Promise((resolve) => setTimeout(resolve, LOOP_MS));
    assert.deepEqual(writesOf(await requestsSince(cluster, from, operator)), []);
    await cluster.remove(thing.ref("one"));
    await world.gone("one");
    assert.equal(await cluster.get(world.configMap("one-a")), undefined);
  });
}

Deno.test("toy: two names of 250 characters that differ in the last one have a record and Events each", async () => {
  await using world = await fixture({
    files: {
      "core/a.yaml":
        `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "long-[{ name[-1:] }]", namespace: [{ operator.namespace }]}\n`,
    },
  });
  const { cluster, namespace, thing } = world;
  await using _operator = world.start();
  const stem = `${"a".repeat(219)}-${"b".repeat(29)}`;
  const names = [`${stem}1`, `${stem}2`];
  assert.equal(names[0]?.length, 250);
  for (const name of names) await world.put(name);
  for (const name of names) await world.ready(name);
  const records = await cluster.list(world.configMap("x"), {
    namespace,
    labelSelector: "generic-operator.io/component=record",
  });
  assert.equal(new Set(records.map(({ metadata }) => metadata.name)).size, 2);
  for (const name of names) {
    await until(
      "its Event",
      async () => (await eventsAbout(cluster, thing.ref(name))).find((event) => event.reason === "Applied"),
    );
  }
  await cluster.remove(thing.ref(names[0] ?? ""));
  await world.gone(names[0] ?? "");
  assert.equal(await cluster.get(world.configMap("long-1")), undefined);
  assert.ok(await cluster.get(world.configMap("long-2")));
});
