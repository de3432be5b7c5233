import assert from "node:assert/strict";
import type { KubeObject, Manifest } from "../meta/mod.ts";
import { applyEntry, configMap, live, NAMES, ownership } from "../testing/builders.ts";
import { holderOf, isOurs, keepOf, mayAdopt, stamp } from "./ownership.ts";

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
  const references = (object: KubeObject, owner = CLUSTER, keep: Manifest["keep"] = false) =>
    stamp(object, owner, keep).metadata.ownerReferences;
  assert.deepEqual(references(configMap("x")), [REFERENCE]);
  assert.deepEqual(references(withMetadata({ ownerReferences: [theirs] })), [theirs, REFERENCE]);
  assert.deepEqual(references(configMap("x", "shop"), NAMESPACED), [REFERENCE]);
  assert.equal(references(configMap("x", "elsewhere"), NAMESPACED), undefined);
  assert.equal(
    references({ apiVersion: "v1", kind: "ClusterRole", metadata: { name: "r" } }, NAMESPACED),
    undefined,
  );
  assert.equal(references(configMap("x"), CLUSTER, "always"), undefined);
  assert.deepEqual(references(withMetadata({ ownerReferences: [theirs] }), CLUSTER, "always"), [theirs]);
});

/** What makes `live(configMap("x"), "u")` ours, taken away or changed piece by piece. */
const BARE = { labels: {}, annotations: {}, managedFields: [] };
const OWNED = { [NAMES.owner]: "owner-uid" };
const STOLEN = { [NAMES.owner]: "other-uid" };
const OURS = live(configMap("x"), "u").metadata;

Deno.test("ours says so by its identity, and by our entry or our label", () => {
  const cases: readonly [string, Partial<KubeObject["metadata"]>, boolean][] = [
    ["as we left it", {}, true],
    ["managedFields cleared", { managedFields: [] }, true],
    ["label taken away", { labels: {} }, true],
    ["another owner's label put on it", { labels: STOLEN }, true],
    ["a copy under another name, managedFields and all", { name: "copy" }, false],
    ["a copy in another namespace", { namespace: "elsewhere" }, false],
    ["just our label", { ...BARE, labels: OWNED }, false],
    ["our label and our entry, but no identity", { annotations: {} }, false],
    ["just our identity", { ...BARE, annotations: OURS.annotations ?? {} }, false],
  ];
  for (const [what, more, expected] of cases) {
    assert.equal(isOurs(live(configMap("x"), "u", more), CLUSTER), expected, what);
  }
});

Deno.test("what the record knows is ours while nobody else's label is on it", () => {
  const cases: readonly [string, Partial<KubeObject["metadata"]>, boolean][] = [
    ["identity taken away", { annotations: {} }, true],
    ["identity and label taken away", { annotations: {}, labels: {} }, true],
    ["everything of ours taken away", BARE, false],
    ["another owner's label on it", { annotations: {}, labels: STOLEN }, false],
    ["foreign, but written into the record", {
      ...BARE,
      managedFields: [applyEntry({}, { manager: "kubectl" })],
    }, false],
  ];
  for (const [what, more, expected] of cases) {
    assert.equal(isOurs(live(configMap("x"), "u", more), CLUSTER, "u"), expected, what);
  }
  assert.equal(isOurs(live(configMap("x"), "u", { annotations: {} }), CLUSTER, "another"), false);
});

Deno.test("an object that we made for another instance is not ours, whatever label it got", () => {
  const other = ownership({ owner: { ...CLUSTER.owner, name: "two" }, uid: "other-uid" });
  assert.equal(isOurs(live(configMap("x"), "u", { labels: STOLEN }), other), false);
});

Deno.test("a namesake of the instance that comes later still knows what was kept", () => {
  const later = ownership({ uid: "later-uid" });
  assert.equal(isOurs(live(configMap("x"), "u"), later), true);
});

Deno.test("what is kept says so itself", () => {
  for (const keep of [false, "always", "until-deleted"] as const) {
    assert.equal(keepOf(stamp(configMap("x"), CLUSTER, keep), NAMES), keep);
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
  assert.equal(holderOf(withMetadata({ ownerReferences, labels, managedFields }), CLUSTER), "Thing boss");
  assert.equal(
    holderOf(withMetadata({ ownerReferences: ownerReferences.slice(0, 1) }), CLUSTER),
    "Thing first",
  );
  assert.equal(holderOf(withMetadata({ labels, managedFields }), CLUSTER), "the instance with UID other");
  assert.equal(holderOf(withMetadata({ managedFields }), CLUSTER), "field manager kubectl, helm");
  assert.equal(holderOf(configMap("x"), CLUSTER), "somebody else");
  const twin = [{ manager: "generic-operator:things.example.com@elsewhere" }];
  assert.match(
    holderOf(withMetadata({ labels: OWNED, managedFields: twin, ownerReferences }), CLUSTER),
    /^another operator .*@elsewhere\)$/,
  );
});
