import assert from "node:assert/strict";
import type { KubeObject } from "../meta/mod.ts";
import { applyEntry, configMap, live, NAMES, ownership } from "../testing/builders.ts";
import { holderOf, isOurs, mayAdopt, stamp } from "./ownership.ts";

const CLUSTER = ownership();
const NAMESPACED = ownership({ owner: { ...CLUSTER.owner, namespace: "shop" } });
const REFERENCE = {
  apiVersion: "example.com/v1",
  kind: "Thing",
  name: "one",
  uid: "owner-uid",
  controller: true,
};

function withMetadata(more: Partial<KubeObject["metadata"]>): KubeObject {
  const object = configMap("x");
  return { ...object, metadata: { ...object.metadata, ...more } };
}

Deno.test("our labels win over those of the template; its own stay", () => {
  const labels = { [NAMES.owner]: "stolen", own: "1" };
  assert.deepEqual(stamp(withMetadata({ labels }), CLUSTER, false).metadata.labels, {
    own: "1",
    [NAMES.owner]: "owner-uid",
    [NAMES.implementation]: "things.example.com",
  });
});

Deno.test("an owner reference where scope allows it, behind those of the template, and not on what is kept", () => {
  const theirs = { apiVersion: "v1", kind: "ConfigMap", name: "y", uid: "y-uid" };
  const references = (object: KubeObject, owner = CLUSTER, keep = false) =>
    stamp(object, owner, keep).metadata.ownerReferences;
  assert.deepEqual(references(configMap("x")), [REFERENCE]);
  assert.deepEqual(references(withMetadata({ ownerReferences: [theirs] })), [theirs, REFERENCE]);
  assert.deepEqual(references(configMap("x", "shop"), NAMESPACED), [REFERENCE]);
  assert.equal(references(configMap("x", "elsewhere"), NAMESPACED), undefined);
  assert.equal(
    references({ apiVersion: "v1", kind: "ClusterRole", metadata: { name: "r" } }, NAMESPACED),
    undefined,
  );
  assert.equal(references(configMap("x"), CLUSTER, true), undefined);
  assert.deepEqual(references(withMetadata({ ownerReferences: [theirs] }), CLUSTER, true), [theirs]);
});

Deno.test("ours is what has our label and our entry; one alone proves nothing", () => {
  assert.equal(isOurs(live(configMap("x"), "u"), CLUSTER), true);
  assert.equal(isOurs(live(configMap("x"), "u", { managedFields: [] }), CLUSTER), false);
  assert.equal(isOurs(live(configMap("x"), "u", { labels: {} }), CLUSTER), false);
  const others = [
    applyEntry({}, { manager: "kubectl" }),
    applyEntry({}, { operation: "Update" }),
    applyEntry({}, { subresource: "status" }),
  ];
  for (const entry of others) {
    assert.equal(isOurs(live(configMap("x"), "u", { managedFields: [entry] }), CLUSTER), false);
  }
});

Deno.test("only what says so itself may be adopted, and not from a living owner", () => {
  const annotations = { [NAMES.adopt]: "true" };
  const alive = (uid: string) => uid === "alive";
  assert.equal(mayAdopt(withMetadata({ annotations }), CLUSTER, alive), true);
  assert.equal(mayAdopt(withMetadata({ annotations: { [NAMES.adopt]: "yes" } }), CLUSTER, alive), false);
  assert.equal(mayAdopt(configMap("x"), CLUSTER, alive), false);
  const ownedBy = (uid: string) => withMetadata({ annotations, labels: { [NAMES.owner]: uid } });
  assert.equal(mayAdopt(ownedBy("alive"), CLUSTER, alive), false);
  assert.equal(mayAdopt(ownedBy("dead"), CLUSTER, alive), true);
  assert.equal(mayAdopt(ownedBy("owner-uid"), CLUSTER, () => true), true);
});

Deno.test("the holder is named by what its metadata tells: controller, instance, field managers", () => {
  const labels = { [NAMES.owner]: "other" };
  const ownerReferences = [{ ...REFERENCE, name: "first", controller: false }, {
    ...REFERENCE,
    name: "boss",
  }];
  const managedFields = [{ manager: "kubectl" }, { manager: "helm" }, { manager: "kubectl" }];
  assert.equal(holderOf(withMetadata({ ownerReferences, labels, managedFields }), NAMES), "Thing boss");
  assert.equal(
    holderOf(withMetadata({ ownerReferences: ownerReferences.slice(0, 1) }), NAMES),
    "Thing first",
  );
  assert.equal(holderOf(withMetadata({ labels, managedFields }), NAMES), "the instance with UID other");
  assert.equal(holderOf(withMetadata({ managedFields }), NAMES), "field manager kubectl, helm");
  assert.equal(holderOf(configMap("x"), NAMES), "somebody else");
});
