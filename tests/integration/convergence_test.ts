/**
 * An instance becomes objects with the least of requests, and then nothing: no write and no read besides watches, also over a restart. Counted by the
 * API server itself, in its audit log.
 */
import assert from "node:assert/strict";
import type { AuditEvent } from "../../tools/control_plane/audit.ts";
import type { ObjectRef } from "../../engine/mod.ts";
import { configMapRef, fixture, statusOf } from "./fixture.ts";
import { conditionOf, until } from "./harness.ts";
import { auditMark, getsOf, requestsSince, untilStill, writesOf } from "./requests.ts";

const IN = "namespace: [{ name }]-[{ operator.namespace }]";
/** Eight children in the order in which they have to be made. */
const FILES = {
  "core/namespace.yaml": `
apiVersion: v1
kind: Namespace
metadata: {name: [{ name }]-[{ operator.namespace }]}
`,
  "core/quota.yaml": `
apiVersion: v1
kind: ResourceQuota
metadata: {name: quota, ${IN}}
spec: {hard: {configmaps: 10, requests.cpu: 1500m}}
`,
  "core/rights.yaml": `
apiVersion: v1
kind: ServiceAccount
metadata: {name: app, ${IN}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: app, ${IN}}
rules: [ {apiGroups: [""], resources: [configmaps], verbs: [get]} ]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: app, ${IN}}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: app}
subjects: [ {kind: ServiceAccount, name: app, ${IN}} ]
`,
  "core/app.yaml": `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, ${IN}}
data: {a: "1"}
---
apiVersion: v1
kind: Service
metadata: {name: web, ${IN}}
spec: {selector: {app: web}, ports: [ {port: 80} ]}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web, ${IN}}
spec: {podSelector: {}, policyTypes: [Ingress]}
`,
};

/** How long silence is watched: the promise's own minute once, and what a start would write comes within seconds. */
const STILL_MS = 60_000;
const STILL_AFTER_RESTART_MS = 10_000;

Deno.test("convergence: 8 children with at most 12 writes, then 60 s of silence", async (t) => {
  await using world = await fixture({ files: FILES });
  const { cluster, namespace, thing } = world;
  const home = `one-${namespace}`;
  const child = (group: string, kind: string, name: string): ObjectRef => ({
    group,
    version: "v1",
    kind,
    ...(kind === "Namespace" ? {} : { namespace: home }),
    name,
  });
  const children: readonly (readonly [string, ObjectRef])[] = [
    ["namespaces", child("", "Namespace", home)],
    ["resourcequotas", child("", "ResourceQuota", "quota")],
    ["serviceaccounts", child("", "ServiceAccount", "app")],
    ["roles.rbac.authorization.k8s.io", child("rbac.authorization.k8s.io", "Role", "app")],
    ["rolebindings.rbac.authorization.k8s.io", child("rbac.authorization.k8s.io", "RoleBinding", "app")],
    ["configmaps", child("", "ConfigMap", "settings")],
    ["services", child("", "Service", "web")],
    ["networkpolicies.networking.k8s.io", child("networking.k8s.io", "NetworkPolicy", "web")],
  ];
  await using first = world.start();
  await until("it serves", () => first.logs.find((line) => String(line.message).startsWith("Serves ")));
  const start = await auditMark(cluster);

  await t.step("all are there, labelled; the status says so", async () => {
    await world.put("one");
    const instance = await world.ready("one");
    assert.deepEqual(instance.metadata.finalizers, ["generic-operator.io/cleanup"]);
    const status = statusOf(instance);
    assert.equal(status.observedGeneration, 1);
    assert.equal(status.revision, 1);
    assert.deepEqual(status.counts, { applied: 8, failed: 0, skipped: 0 });
    assert.deepEqual(status.failedObjects, []);
    assert.equal(conditionOf(instance, "Stalled")?.status, "False");
    assert.equal(conditionOf(instance, "Reconciling")?.status, "False");
    for (const [, ref] of children) {
      const { metadata } = await until(`${ref.kind} ${ref.name}`, () => cluster.get(ref));
      assert.equal(metadata.labels?.["generic-operator.io/owner"], instance.metadata.uid, ref.kind);
      assert.equal(metadata.labels?.["generic-operator.io/implementation"], `things.${thing.group}`);
      assert.equal(metadata.ownerReferences?.[0]?.uid, instance.metadata.uid, ref.kind);
    }
  });

  await t.step("at most 8 + 4 writes, in the order of the templates, and no single reads", async () => {
    await untilStill(cluster, start, first);
    const events = await requestsSince(cluster, start, first);
    const writes = writesOf(events);
    assert.ok(writes.length <= 12, `12 at most, but: ${writes.join(", ")}`);
    assert.deepEqual(getsOf(events), [], "no read besides lists and watches");
    const made = events.filter(({ verb, namespace: at, resource }) =>
      verb === "patch" && (at === home || resource === "namespaces")
    );
    assert.deepEqual(
      made.map(({ resource, name }) => `${resource} ${name}`),
      children.map(([resource, ref]) => `${resource} ${ref.name}`),
    );
    assert.deepEqual(made.map(({ code }) => code), Array(8).fill(201), "each was made by its first request");
  });

  await t.step("converged: no write, no read besides watches, for 60 s", async () => {
    const from = await auditMark(cluster);
    await passed(STILL_MS);
    assertStill(await requestsSince(cluster, from, first));
  });

  await t.step("a restart writes nothing, and then sees what is touched", async () => {
    await first.stop();
    const from = await auditMark(cluster);
    await using second = world.start();
    await until("it serves", () => second.logs.find((line) => String(line.message).startsWith("Serves ")));
    await passed(STILL_AFTER_RESTART_MS);
    assert.deepEqual(writesOf(await requestsSince(cluster, from, second)), []);
    const config = configMapRef("settings", home);
    const before = await cluster.get(config);
    await cluster.remove(config);
    const after = await until("the ConfigMap is back", () => cluster.get(config), 2_000);
    assert.notEqual(after.metadata.uid, before?.metadata.uid);
    assert.equal(statusOf(await world.ready("one")).revision, 1, "a repair is no revision");
  });
});

function assertStill(events: readonly AuditEvent[]): void {
  assert.deepEqual(writesOf(events), []);
  assert.deepEqual(
    events.filter(({ verb }) => verb !== "watch").map(({ verb, uri }) => `${verb} ${uri}`),
    [],
  );
}

/** Silence cannot be awaited, only watched. */
function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
