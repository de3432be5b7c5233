/** What is no longer rendered goes, exactly that, and only after everything else is applied. */
import assert from "node:assert/strict";
import type { ObjectRef } from "../../engine/mod.ts";
import { statusOf } from "./fixture.ts";
import { conditionOf, connect, holds, startOperator, templates, toy, until } from "./harness.ts";

function configMap(name: string): string {
  return `
apiVersion: v1
kind: ConfigMap
metadata: {name: [{ name }]-${name}, namespace: default}
data: {v: [{ spec.v | tojson }]}
`;
}

Deno.test("pruning: a template out of the list, a document no longer printed, _action: delete, _keep", async (t) => {
  const cluster = await connect();
  const thing = toy();
  await cluster.apply(thing.crd);
  const impl = await templates(thing, {
    "core/a.yaml": configMap("a"),
    "core/b.yaml": configMap("b"),
    "core/c.yaml": `[% if spec.c %]${configMap("c")}[% endif %]`,
    "core/kept.yaml": `[% if spec.c %]${configMap("kept")}_keep: true\n[% endif %]`,
    "core/absent.yaml": `${configMap("absent")}_action: delete\n`,
  }, "namespaces: [default]");
  const operator = startOperator({ cluster, implementations: [impl.folder] });
  const name = thing.group.split(".")[0] ?? "";
  const ref = (suffix: string): ObjectRef => ({
    group: "",
    version: "v1",
    kind: "ConfigMap",
    namespace: "default",
    name: `${name}-${suffix}`,
  });
  const isReady = async (revision: number) => {
    const now = await cluster.get(thing.ref(name));
    return conditionOf(now, "Ready")?.status === "True" && statusOf(now).revision === revision || undefined;
  };
  try {
    await until("the CRD is served", () => cluster.mapper.resourceFor(thing.ref("x")));
    await cluster.apply(thing.instance(name, { v: "1", c: true }));
    await until("Ready", () => isReady(1));
    for (const suffix of ["a", "b", "c", "kept"]) assert.ok(await cluster.get(ref(suffix)), suffix);

    await t.step("a document that an `if` no longer prints goes; what has _keep stays", async () => {
      await cluster.apply(thing.instance(name, { v: "1", c: false }));
      await until("revision 2", () => isReady(2));
      assert.equal(await cluster.get(ref("c")), undefined);
      assert.ok(await cluster.get(ref("kept")));
      assert.ok(await cluster.get(ref("a")));
    });

    await t.step("a template taken out of the list: its object goes, the others are untouched", async () => {
      const before = (await cluster.get(ref("a")))?.metadata.resourceVersion;
      await impl.order(["core/a.yaml", "core/c.yaml"], "namespaces: [default]");
      await until("b is gone", async () => await cluster.get(ref("b")) === undefined || undefined);
      assert.equal((await cluster.get(ref("a")))?.metadata.resourceVersion, before);
    });

    await t.step("_action: delete takes away what is ours, and nothing that is not", async () => {
      await cluster.apply({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: `${name}-foreign`, namespace: "default" },
        data: {},
      });
      await impl.write(
        "core/a.yaml",
        `${configMap("a")}_action: delete\n---${configMap("foreign")}_action: delete\n`,
      );
      await until("a is gone", async () => await cluster.get(ref("a")) === undefined || undefined);
      await holds("the foreign one stays", async () => await cluster.get(ref("foreign")) !== undefined, 500);
    });

    await t.step("nothing is pruned while an apply fails", async () => {
      await impl.write("core/a.yaml", configMap("a"));
      await until("a is back", () => cluster.get(ref("a")));
      await impl.write(
        "core/bad.yaml",
        `
apiVersion: v1
kind: Service
metadata: {name: [{ name }]-bad, namespace: default}
spec: {type: NoSuchType}
`,
      );
      await impl.order(["core/bad.yaml"], "namespaces: [default]");
      await until(
        "ApplyFailed",
        async () =>
          conditionOf(await cluster.get(thing.ref(name)), "Ready")?.reason === "ApplyFailed" || undefined,
      );
      assert.ok(await cluster.get(ref("a")));
      await impl.order([], "namespaces: [default]").catch(() => {});
    });
  } finally {
    await cluster.remove(thing.ref(name)).catch(() => {});
    await until(
      "the instance is gone",
      async () => await cluster.get(thing.ref(name)) === undefined || undefined,
    );
    assert.ok(await cluster.get(ref("kept")), "_keep: true survives its owner");
    await cluster.remove(ref("kept"));
    await cluster.remove(ref("foreign"));
    await operator.stop();
    await impl.remove();
    cluster.close();
  }
});
