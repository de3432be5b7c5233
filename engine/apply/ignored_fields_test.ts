import assert from "node:assert/strict";
import type { KubeObject } from "../meta/mod.ts";
import { splitIgnored } from "./ignored_fields.ts";

const WEB: KubeObject = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "shop", labels: { a: "1" } },
  spec: { replicas: 2, template: { spec: { containers: [] } }, paused: null },
};
const { apiVersion, kind } = WEB;
const BASE = { apiVersion, kind, metadata: { name: "web", namespace: "shop" } };

Deno.test("each path is in one part only, and the initial part has nothing else but its name", () => {
  const { own, initial } = splitIgnored(WEB, ["spec.replicas", "metadata.labels.a"]);
  assert.deepEqual(own, {
    ...BASE,
    metadata: { ...BASE.metadata, labels: {} },
    spec: { template: { spec: { containers: [] } }, paused: null },
  });
  assert.deepEqual(initial, {
    ...BASE,
    metadata: { ...BASE.metadata, labels: { a: "1" } },
    spec: { replicas: 2 },
  });
});

Deno.test("the object that goes in stays as it was", () => {
  const before = structuredClone(WEB);
  splitIgnored(WEB, ["spec.replicas"]);
  assert.deepEqual(WEB, before);
});

Deno.test("a path that is not there leaves nothing to others", () => {
  for (const path of ["spec.nothing", "spec.replicas.deeper", "spec.template.spec.containers.0", "other"]) {
    assert.deepEqual(splitIgnored(WEB, [path]), { own: WEB, initial: undefined }, path);
  }
  assert.deepEqual(splitIgnored(WEB, []), { own: WEB, initial: undefined });
});

Deno.test("name and kind are never left to others", () => {
  for (const path of ["metadata", "metadata.name", "kind", "apiVersion"]) {
    assert.deepEqual(splitIgnored(WEB, [path]), { own: WEB, initial: undefined }, path);
  }
});

Deno.test("a cluster-scoped object gets no namespace", () => {
  const { initial } = splitIgnored({ ...BASE, metadata: { name: "web" }, spec: { a: 1 } }, ["spec.a"]);
  assert.deepEqual(initial?.metadata, { name: "web" });
});
