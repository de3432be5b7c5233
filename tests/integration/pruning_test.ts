/**
 * What is no longer rendered goes, exactly that, and only after everything else is applied. Each step compares all that the operator wrote to the
 * objects of the templates, in its order, as the API server's audit log has it: a request in vain shows, too.
 */
import assert from "node:assert/strict";
import type { ObjectRef } from "../../engine/mod.ts";
import { statusOf } from "./fixture.ts";
import { conditionOf, connect, startOperator, templates, toy, until } from "./harness.ts";
import { auditMark, requestsSince, untilStill, writesOf } from "./requests.ts";

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
    "core/c.yaml": `[% if spec.c %]${configMap("c")}[% endif %]`,
    "core/a.yaml": configMap("a"),
    "core/kept.yaml": `[% if spec.c %]${configMap("kept")}_keep: true\n[% endif %]`,
    "core/absent.yaml": `${configMap("absent")}_action: delete\n`,
    "core/b.yaml": configMap("b"),
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
  /** What was written to the objects of the templates since a mark, in order: `patch a`. Waits until nothing more comes. */
  const writesSince = async (from: number) => {
    await untilStill(cluster, from, operator);
    const ours = new RegExp(`^(\\w+) configmaps/${name}-(.*)$`);
    return writesOf(await requestsSince(cluster, from, operator))
      .filter((line) => ours.test(line)).map((line) => line.replace(ours, "$1 $2"));
  };
  try {
    await until("the CRD is served", () => cluster.mapper.resourceFor(thing.ref("x")));
    const start = await auditMark(cluster);
    await cluster.apply(thing.instance(name, { v: "1", c: true }));
    await until("Ready", () => isReady(1));

    await t.step(
      "everything is applied in order; _action: delete of a missing object sends nothing",
      async () => {
        assert.deepEqual(await writesSince(start), ["patch c", "patch a", "patch kept", "patch b"]);
      },
    );

    await t.step(
      "a document that an `if` no longer prints goes, after the rest; what has _keep stays",
      async () => {
        const from = await auditMark(cluster);
        await cluster.apply(thing.instance(name, { v: "2", c: false }));
        await until("revision 2", () => isReady(2));
        assert.deepEqual(await writesSince(from), ["patch a", "patch b", "delete c"]);
        assert.equal(await cluster.get(ref("c")), undefined);
        assert.ok(await cluster.get(ref("kept")));
      },
    );

    await t.step(
      "a template taken out of the list: its object goes, after the rest; no other is touched",
      async () => {
        await impl.write("core/new.yaml", configMap("new"));
        const from = await auditMark(cluster);
        await impl.order(["core/a.yaml", "core/c.yaml", "core/new.yaml"], "namespaces: [default]");
        await until("b is gone", async () => await cluster.get(ref("b")) === undefined || undefined);
        assert.deepEqual(await writesSince(from), ["patch new", "delete b"]);
      },
    );

    await t.step("_action: delete takes away what is ours, and nothing that is not", async () => {
      await cluster.apply({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: `${name}-foreign`, namespace: "default" },
        data: {},
      });
      const from = await auditMark(cluster);
      await impl.write(
        "core/a.yaml",
        `${configMap("a")}_action: delete\n---${configMap("foreign")}_action: delete\n`,
      );
      await until("a is gone", async () => await cluster.get(ref("a")) === undefined || undefined);
      assert.deepEqual(await writesSince(from), ["delete a"]);
      assert.ok(await cluster.get(ref("foreign")));
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
