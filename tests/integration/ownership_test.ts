/** Nothing foreign is taken or deleted: what exists and is not ours is named, stays as it is, and is taken over only when it says so. */
import assert from "node:assert/strict";
import type { ObjectRef } from "../../engine/mod.ts";
import { conditionOf, connect, holds, startOperator, templates, toy, until } from "./harness.ts";

const CONFIG = `
apiVersion: v1
kind: ConfigMap
metadata: {name: [{ spec.target }], namespace: default}
data: {ours: "1"}
`;

Deno.test("ownership: foreign objects", async (t) => {
  const cluster = await connect();
  const thing = toy();
  await cluster.apply(thing.crd);
  const impl = await templates(thing, { "core/config.yaml": CONFIG }, "namespaces: [default]");
  const operator = startOperator({ cluster, implementations: [impl.folder] });
  const name = thing.group.split(".")[0] ?? "";
  const target: ObjectRef = {
    group: "",
    version: "v1",
    kind: "ConfigMap",
    namespace: "default",
    name: `${name}-target`,
  };
  try {
    await until("the CRD is served", () => cluster.mapper.resourceFor(thing.ref("x")));
    await cluster.apply({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: target.name, namespace: "default" },
      data: { theirs: "1" },
    }, "somebody");
    const before = await cluster.get(target);

    await t.step("an object that exists is not overwritten: condition names it and its holder", async () => {
      await cluster.apply(thing.instance(name, { target: target.name }));
      const ready = await until("NotOwned", async () => {
        const condition = conditionOf(await cluster.get(thing.ref(name)), "Ready");
        return condition?.reason === "NotOwned" ? condition : undefined;
      });
      assert.match(
        String(ready.message),
        new RegExp(`${target.name}.*somebody.*generic-operator.io/adopt=true`),
      );
      assert.equal((await cluster.get(target))?.metadata.resourceVersion, before?.metadata.resourceVersion);
    });

    await t.step("it is not deleted with the instance", async () => {
      await cluster.remove(thing.ref(name));
      await until(
        "the instance is gone",
        async () => await cluster.get(thing.ref(name)) === undefined || undefined,
      );
      await holds(
        "it stays",
        async () =>
          (await cluster.get(target))?.metadata.resourceVersion === before?.metadata.resourceVersion,
        500,
      );
    });

    await t.step("with the annotation it is taken over, and goes with the instance", async () => {
      await cluster.apply(thing.instance(name, { target: target.name }));
      await until(
        "NotOwned",
        async () =>
          conditionOf(await cluster.get(thing.ref(name)), "Ready")?.reason === "NotOwned" || undefined,
      );
      await cluster.patch(target, { metadata: { annotations: { "generic-operator.io/adopt": "true" } } });
      await until(
        "Ready",
        async () => conditionOf(await cluster.get(thing.ref(name)), "Ready")?.status === "True" || undefined,
        20_000,
      );
      assert.deepEqual((await cluster.get(target))?.data, { theirs: "1", ours: "1" });
      await cluster.remove(thing.ref(name));
      await until(
        "the instance is gone",
        async () => await cluster.get(thing.ref(name)) === undefined || undefined,
      );
      assert.equal(await cluster.get(target), undefined);
    });

    await t.step("of two instances that render one object, the first keeps it", async () => {
      const second = `${name}-second`;
      await cluster.apply(thing.instance(name, { target: target.name }));
      await until(
        "Ready",
        async () => conditionOf(await cluster.get(thing.ref(name)), "Ready")?.status === "True" || undefined,
      );
      await cluster.apply(thing.instance(second, { target: target.name }));
      await until(
        "NotOwned",
        async () =>
          conditionOf(await cluster.get(thing.ref(second)), "Ready")?.reason === "NotOwned" || undefined,
      );
      const owner = (await cluster.get(thing.ref(name)))?.metadata.uid;
      await cluster.remove(thing.ref(second));
      await until(
        "the second is gone",
        async () => await cluster.get(thing.ref(second)) === undefined || undefined,
      );
      assert.equal((await cluster.get(target))?.metadata.labels?.["generic-operator.io/owner"], owner);
    });
  } finally {
    await cluster.remove(thing.ref(name)).catch(() => {});
    await until("all is gone", async () => await cluster.get(target) === undefined || undefined);
    await operator.stop();
    await impl.remove();
    cluster.close();
  }
});
