/** Hands in our book-keeping: labels, copies, finalizers and records that were edited delete nothing that is not ours, and lose nothing that is. */
import assert from "node:assert/strict";
import { CONFIG_MAPS, isJsonObject, type JsonObject, type KubeObject } from "../../engine/mod.ts";
import { configMapTemplate, dataOf, fixture } from "./fixture.ts";
import { holds, until } from "./harness.ts";

const OWNER = "generic-operator.io/owner";
const KEPT = `[% if not spec.bare %]${configMapTemplate("kept")}_keep: true\n[% endif %]`;

Deno.test("tampering: what is not ours stays, what is ours is found again", async (t) => {
  await using world = await fixture({
    files: { "core/one.yaml": configMapTemplate("one"), "core/kept.yaml": KEPT },
  });
  const { cluster } = world;
  const one = (name: string) => world.configMap(`${name}-one`);
  const kept = world.configMap("a-kept");
  const uidOf = async (name: string) => (await cluster.get(world.thing.ref(name)))?.metadata.uid ?? "";
  const recordOf = async (name: string): Promise<KubeObject> => {
    const { items } = await cluster.client.list(CONFIG_MAPS, {
      namespace: world.namespace,
      labelSelector: "generic-operator.io/component=record",
    });
    const record = items.map(({ object }) => object).find(({ metadata }) =>
      metadata.name.startsWith(`thing-${name}-`)
    );
    assert.ok(record, `the record of ${name}`);
    return record;
  };
  let operator = world.start();
  await world.put("a");
  await world.put("b");
  await Promise.all([world.ready("a"), world.ready("b")]);

  await t.step(
    "another owner's label does not hand an object to that owner, who would delete it",
    async () => {
      const before = (await cluster.get(one("a")))?.metadata.uid;
      const [a, b] = [await uidOf("a"), await uidOf("b")];
      await cluster.patch(one("a"), { metadata: { labels: { [OWNER]: b } } });
      await until(
        "the label is back",
        async () => (await cluster.get(one("a")))?.metadata.labels?.[OWNER] === a || undefined,
      );
      assert.equal((await cluster.get(one("a")))?.metadata.uid, before);
    },
  );

  await t.step("a copy with labels, annotations and managedFields is left alone", async () => {
    const original = await cluster.get(one("a"));
    assert.ok(original);
    const { labels = {}, annotations = {}, managedFields = [] } = original.metadata;
    const copy = world.configMap("copy");
    const metadata = { name: "copy", namespace: world.namespace, labels, annotations, managedFields };
    await cluster.client.create(CONFIG_MAPS, { ...original, metadata }, { fieldManager: "backup" });
    await holds("the copy stays", async () => await cluster.get(copy) !== undefined, 1_000);
    await cluster.remove(copy);
  });

  await t.step("a finalizer that was taken off is put back", async () => {
    await cluster.patch(world.thing.ref("a"), { metadata: { finalizers: null, annotations: null } });
    await until("finalizer and kinds", async () => {
      const { finalizers = [], annotations = {} } = (await cluster.get(world.thing.ref("a")))?.metadata ?? {};
      return finalizers.length === 1 && annotations["generic-operator.io/kinds"] === "v1/ConfigMap" ||
        undefined;
    });
  });

  await t.step("a foreign object that is written into a record is not deleted", async () => {
    await cluster.apply({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "foreign", namespace: world.namespace },
    });
    const foreign = world.configMap("foreign");
    const uid = (await cluster.get(foreign))?.metadata.uid;
    const record = await recordOf("b");
    const data = dataOf(record);
    const inventory: unknown = JSON.parse(String(isJsonObject(data) ? data["inventory.json"] : "[]"));
    assert.ok(Array.isArray(inventory));
    const forged = {
      ref: { group: "", version: "v1", kind: "ConfigMap", namespace: world.namespace, name: "foreign" },
      uid,
      digest: "x",
      fields: "x",
      keep: false,
    };
    const patch: JsonObject = { data: { "inventory.json": JSON.stringify([...inventory, forged]) } };
    await cluster.patch({ ...one("b"), name: record.metadata.name }, patch);
    await until("the record is right again", async () => {
      const now = dataOf(await recordOf("b"));
      return isJsonObject(now) && !String(now["inventory.json"]).includes("foreign") || undefined;
    });
    assert.equal((await cluster.get(foreign))?.metadata.uid, uid);
  });

  await t.step("what is kept stays kept when the record was lost", async () => {
    await operator.stop();
    await cluster.remove({ ...one("a"), name: (await recordOf("a")).metadata.name });
    await world.put("a", { bare: true });
    operator = world.start();
    await world.ready("a");
    assert.ok(await cluster.get(kept));
  });

  await t.step("an instance that went while nobody looked is swept up, but for what is kept", async () => {
    await operator.stop();
    await cluster.remove(world.thing.ref("a"));
    await cluster.patch(world.thing.ref("a"), { metadata: { finalizers: null } });
    await world.gone("a");
    operator = world.start();
    await until(
      "its object is gone",
      async () => await cluster.get(one("a")) === undefined || undefined,
      20_000,
    );
    assert.ok(await cluster.get(kept));
    assert.ok(await cluster.get(one("b")), "others are untouched");
  });
  await operator.stop();
});

Deno.test("tampering: an instance that renders itself is refused, and can be deleted", async () => {
  const itself = `apiVersion: [{ apiVersion }]\nkind: [{ kind }]\nmetadata: {name: [{ name }]}\nspec: {}\n`;
  await using world = await fixture({ files: { "core/itself.yaml": itself } });
  await using _operator = world.start();
  await world.put("a");
  const { message } = await world.condition("a", "Ready", "RendersItself");
  assert.match(String(message), /core\/itself\.yaml line 1: Thing\S* a is the instance itself/);
  await world.cluster.remove(world.thing.ref("a"));
  await world.gone("a");
});
