/** Templates in ConfigMaps: a change takes effect as one bundle, a broken bundle is refused as a whole while the old one serves, and both forms are read. */
import assert from "node:assert/strict";
import { configMapTemplate, dataOf, eventsAbout, type Fixture, fixture } from "./fixture.ts";
import { conditionOf, type RunningOperator, until } from "./harness.ts";
import { startProcess } from "./operator_process.ts";

/** Writes a ConfigMap as a platform engineer would. */
async function write(world: Fixture, name: string, data: Readonly<Record<string, string>>): Promise<void> {
  const { cluster, namespace } = world;
  await cluster.apply({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data });
}

function order(world: Fixture, templates: readonly string[]): Readonly<Record<string, string>> {
  return {
    "implementation.yaml": `crd: {group: ${world.thing.group}, version: v1, kind: Thing, plural: things}\n` +
      `namespaces: [${world.namespace}]\ntemplates: [${templates.join(", ")}]\n`,
  };
}

function loads(operator: RunningOperator): number {
  return operator.logs.filter((line) => line.message === "Bundle loaded").length;
}

Deno.test("ConfigMaps as source: one bundle, refusal, healing", async (t) => {
  await using world = await fixture({ files: {} });
  const { cluster, namespace, thing } = world;
  const implementations = [`configmap:${namespace}/impl`];
  await using operator = world.start({ implementations });

  await t.step("the ConfigMaps come after the operator, and are waited for", async () => {
    await until(
      "the log says so",
      () => operator.logs.find((line) => String(line.message).startsWith("Waits for its implementation")),
    );
    await write(world, "impl", order(world, ["core/a.yaml", "more/b.yaml"]));
    await until(
      "the missing ones are named",
      () => operator.logs.find((line) => /Bundle refused.*core\/a\.yaml/.test(String(line.message))),
    );
    await write(world, "core", { "a.yaml": configMapTemplate("a") });
    await write(world, "more", { "b.yaml": configMapTemplate("b") });
    await world.put("one", { v: "1" });
    await world.revision("one", 1);
    assert.ok(await cluster.get(world.configMap("one-b")));
  });

  await t.step("changes to several ConfigMaps take effect as one bundle", async () => {
    const before = loads(operator);
    await write(world, "core", {
      "a.yaml": configMapTemplate("a", `immutable: false\n`),
      "c.yaml": configMapTemplate("c"),
    });
    await write(world, "more", { "b.yaml": configMapTemplate("b", `immutable: false\n`) });
    await write(world, "impl", order(world, ["core/a.yaml", "core/c.yaml", "more/b.yaml"]));
    await until("the new child", () => cluster.get(world.configMap("one-c")));
    await world.revision("one", 2);
    for (const suffix of ["a", "b"]) {
      assert.equal((await cluster.get(world.configMap(`one-${suffix}`)))?.immutable, false);
    }
    assert.equal(loads(operator), before + 1);
  });

  await t.step("a broken template is refused; the old bundle goes on serving", async () => {
    await write(world, "more", { "b.yaml": "kind: ConfigMap\n[% endif %]\n" });
    const stalled = await world.condition("one", "Stalled", "BundleRefused");
    assert.equal(stalled.status, "True");
    assert.match(String(stalled.message), /more\/b\.yaml line 2/);
    assert.equal(conditionOf(await cluster.get(thing.ref("one")), "Ready")?.status, "True");
    await until(
      "an Event says so",
      async () =>
        (await eventsAbout(cluster, world.thing.ref("one"))).find((event) =>
          event.reason === "BundleRefused" && event.note.includes("more/b.yaml line 2")
        ),
    );
    await world.put("one", { v: "2" });
    await until(
      "the old one serves",
      async () => dataOf(await cluster.get(world.configMap("one-b"))).v === "2" || undefined,
    );
    await world.put("two", { v: "1" });
    await world.ready("two");
    assert.equal((await world.condition("two", "Stalled", "BundleRefused")).status, "True");
  });

  await t.step("a template ConfigMap that is gone is refused too", async () => {
    await cluster.remove(world.configMap("more"));
    await until("the condition names it", async () => {
      const { message } = await world.condition("one", "Stalled", "BundleRefused");
      return /more\/b\.yaml/.test(String(message)) && !/line 2/.test(String(message)) || undefined;
    });
    assert.ok(await cluster.get(world.configMap("one-b")), "nothing is deleted for it");
  });

  await t.step("the corrected bundle heals without a restart", async () => {
    await write(world, "more", { "b.yaml": configMapTemplate("b", "immutable: false\n") });
    assert.equal((await world.condition("one", "Stalled", "Idle")).status, "False");
    assert.equal((await world.condition("two", "Stalled", "Idle")).status, "False");
    await world.revision("one", 3); // that of the changed spec, and no other
  });
});

Deno.test("ConfigMaps as source: the older templates-order.yaml, the CRD by flags", async () => {
  await using world = await fixture({ files: {}, namespaced: true });
  const { thing, namespace } = world;
  const template = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: [{ name }]-a}\n";
  await write(world, "core", { "a.yaml": template });
  await write(world, "templates", { "templates-order.yaml": "templates:\n  - core/a.yaml\njobs: []\n" });
  const flags = { group: thing.group, version: "v1", kind: "Thing", plural: "things" };
  await using process = startProcess([
    ...Object.entries(flags).flatMap(([name, value]) => [`--crd-${name}`, value]),
    "--implementation",
    `configmap:${namespace}/templates`,
    "--kubeconfig",
    world.cluster.kubeconfigPath,
    "--namespace",
    namespace,
  ]);
  await process.says(/Serves things/, 30_000);
  await world.put("one");
  await world.ready("one");
  assert.ok(await world.cluster.get(world.configMap("one-a")));
});

Deno.test("two implementations in one process: each serves its own, also while the other is broken", async () => {
  await using first = await fixture({ files: { "core/a.yaml": configMapTemplate("first") } });
  await using second = await fixture({ files: { "core/a.yaml": "[% if %]" } });
  await second.impl.order(["core/a.yaml"], `namespaces: [${first.namespace}]`);
  await using operator = first.start({ implementations: [first.impl.folder, second.impl.folder] });
  await first.put("one", { v: "1" });
  await second.put("one", { v: "2" });
  await first.ready("one");
  const refused = await second.condition("one", "Ready", "BundleRefused");
  assert.match(String(refused.message), /core\/a\.yaml line 1/);
  await second.impl.write("core/a.yaml", configMapTemplate("second"));
  await second.ready("one");
  const { cluster } = first;
  assert.deepEqual(dataOf(await cluster.get(first.configMap("one-first"))), { v: "1" });
  assert.deepEqual(dataOf(await cluster.get(first.configMap("one-second"))), { v: "2" });
  await cluster.remove(first.thing.ref("one"));
  await first.gone("one");
  assert.equal(await cluster.get(first.configMap("one-first")), undefined);
  assert.ok(await cluster.get(first.configMap("one-second")), "instances of one name do not share children");
  assert.ok(operator.logs.some((line) => line.implementation === second.impl.folder), "log lines tell which");
});
