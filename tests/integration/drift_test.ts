/** Instant when touched: whatever is taken from us comes back by watch; what others add, and what the server writes itself, costs no write. */
import assert from "node:assert/strict";
import { isJsonObject, type KubeObject, type ObjectRef } from "../../engine/mod.ts";
import { conditionOf, connect, startOperator, templates, toy, until } from "./harness.ts";
import { auditMark, requestsSince, untilStill, writesOf } from "./requests.ts";

const CONFIG = `
apiVersion: v1
kind: ConfigMap
metadata: {name: [{ name }]-config, namespace: [{ name }], labels: {team: a}}
data: {a: "1", b: "2"}
`;
const NAMESPACE = `
apiVersion: v1
kind: Namespace
metadata: {name: [{ name }]}
`;
const QUOTA = `
apiVersion: v1
kind: ResourceQuota
metadata: {name: quota, namespace: [{ name }]}
spec: {hard: {requests.cpu: 1000m, limits.memory: 1024Mi}}
`;
const DEPLOYMENT = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: [{ name }]}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [ {name: web, image: "example.com/web:1"} ]}
`;

/** Silence cannot be awaited, only watched: for this time, far longer than a repair takes. */
const SILENT_MS = 2_000;

function child(kind: string, name: string, namespace: string, group = ""): ObjectRef {
  return { group, version: "v1", kind, namespace, name };
}

function dataOf(object: KubeObject | undefined): unknown {
  return isJsonObject(object?.data) ? object.data : undefined;
}

Deno.test("drift: everything that is taken from us is restored, nothing else is written", async (t) => {
  const cluster = await connect();
  const thing = toy();
  await cluster.apply(thing.crd);
  const impl = await templates(thing, {
    "core/namespace.yaml": NAMESPACE,
    "core/config.yaml": CONFIG,
    "core/quota.yaml": QUOTA,
    "core/deployment.yaml": DEPLOYMENT,
  });
  const operator = startOperator({ cluster, implementations: [impl.folder] });
  const name = thing.group.split(".")[0] ?? "";
  const config = child("ConfigMap", `${name}-config`, name);
  const deployment = child("Deployment", "web", name, "apps");
  const quota = child("ResourceQuota", "quota", name);
  try {
    await until("the CRD is served", () => cluster.mapper.resourceFor(thing.ref("x")));
    await cluster.apply(thing.instance(name, {}));
    await until(
      "Ready",
      async () => conditionOf(await cluster.get(thing.ref(name)), "Ready")?.status === "True" || undefined,
    );

    await t.step("a deleted child comes back, with another UID", async () => {
      const before = await cluster.get(config);
      await cluster.remove(config);
      const after = await until("the ConfigMap", () => cluster.get(config), 2_000);
      assert.notEqual(after.metadata.uid, before?.metadata.uid);
      assert.deepEqual(dataOf(after), { a: "1", b: "2" });
    });

    await t.step("an edited label and an edited value come back", async () => {
      await cluster.patch(config, { metadata: { labels: { team: "b" } }, data: { a: "changed" } });
      await until("label and value", async () => {
        const now = await cluster.get(config);
        return now?.metadata.labels?.team === "a" && JSON.stringify(dataOf(now)) === '{"a":"1","b":"2"}' ||
          undefined;
      }, 2_000);
    });

    await t.step("our own labels come back, although the watch selects by them", async () => {
      await cluster.patch(config, {
        metadata: {
          labels: { "generic-operator.io/implementation": null, "generic-operator.io/owner": null },
        },
      });
      await until(
        "the labels",
        async () => (await cluster.get(config))?.metadata.labels?.["generic-operator.io/owner"],
        2_000,
      );
    });

    await t.step("scaled replicas come back", async () => {
      await cluster.patch(deployment, { spec: { replicas: 5 } }, { subresource: "scale" });
      await until("2 replicas", async () => {
        const now = await cluster.get(deployment);
        return isJsonObject(now?.spec) && now.spec.replicas === 2 || undefined;
      }, 2_000);
    });

    await t.step("a field that another manager took by force, or removed, comes back", async () => {
      await cluster.apply({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: config.name, namespace: name },
        data: { b: "taken" },
      }, "rival");
      await until(
        "value b",
        async () => JSON.stringify(dataOf(await cluster.get(config))) === '{"a":"1","b":"2"}' || undefined,
        2_000,
      );
      await cluster.patch(config, { data: { a: null } });
      await until(
        "value a",
        async () => JSON.stringify(dataOf(await cluster.get(config))) === '{"a":"1","b":"2"}' || undefined,
        2_000,
      );
    });

    await t.step("normalised quantities, a moving status and foreign additions are left alone", async () => {
      const quotaBefore = await until("the quota has a status", async () => {
        const now = await cluster.get(quota);
        return now?.status === undefined ? undefined : now;
      });
      assert.equal(
        isJsonObject(quotaBefore.spec) && isJsonObject(quotaBefore.spec.hard) &&
          quotaBefore.spec.hard["requests.cpu"],
        "1",
      );
      const deploymentBefore = await cluster.get(deployment);
      await untilStill(cluster, 0, operator);
      const from = await auditMark(cluster);
      const foreign = { metadata: { annotations: { foreign: "yes" } } };
      await cluster.patch(config, { ...foreign, data: { foreign: "yes" } });
      await cluster.patch(quota, foreign);
      await cluster.patch(deployment, { status: { observedGeneration: 99, replicas: 1 } }, {
        subresource: "status",
      });
      await cluster.patch(thing.ref(name), foreign); // the whole reconcile runs again, and compares all of them
      await new Promise((resolve) => setTimeout(resolve, SILENT_MS));
      assert.deepEqual(writesOf(await requestsSince(cluster, from, operator)), []);
      assert.notEqual(
        (await cluster.get(deployment))?.metadata.resourceVersion,
        deploymentBefore?.metadata.resourceVersion,
        "its status moved",
      );
      assert.deepEqual(dataOf(await cluster.get(config)), { a: "1", b: "2", foreign: "yes" });
    });
  } finally {
    await operator.stop();
    await cluster.remove(thing.ref(name)).catch(() => {});
    await impl.remove();
    cluster.close();
  }
});
