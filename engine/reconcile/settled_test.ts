import assert from "node:assert/strict";
import { type LiveObjects, ownFieldsDigest } from "../apply/mod.ts";
import { type KubeObject, refKey, refOf } from "../meta/mod.ts";
import { emptyRecord, type InstanceRecord } from "../revision/mod.ts";
import { configMap, live, NAMES, ownership } from "../testing/builders.ts";
import { testBundle } from "../testing/world.ts";
import { instanceOf } from "./round.ts";
import { inputsDigest, isAsLeft } from "./settled.ts";
import type { BundleState } from "./world.ts";

const THING: KubeObject = {
  apiVersion: "example.com/v1",
  kind: "Thing",
  metadata: { name: "one", uid: "owner-uid", resourceVersion: "1", labels: { a: "1" } },
  spec: { size: 1 },
  status: { revision: 1 },
};
const CHILD = live(configMap("one"), "u1");
const RECORD: InstanceRecord = {
  ...emptyRecord("owner-uid"),
  revision: 1,
  inventory: [{
    ref: refOf(CHILD),
    uid: "u1",
    digest: "d",
    fields: ownFieldsDigest(CHILD, "engine"),
    keep: false,
  }],
};
const STATE: BundleState = { bundle: testBundle({ "core/a.yaml": "a" }), refusal: undefined };

function inputs(object = THING, record = RECORD, state = STATE): string {
  return inputsDigest(instanceOf({ name: "one" }, object, ""), record, state);
}

function isLeft(...objects: readonly KubeObject[]): boolean {
  const caches: LiveObjects = {
    get: (ref) => objects.find((object) => refKey(refOf(object)) === refKey(ref)),
    ownedBy: (uid) => objects.filter((object) => object.metadata.labels?.[NAMES.owner] === uid),
  };
  return isAsLeft(RECORD, caches, ownership());
}

Deno.test("everything that templates can see is an input, and so are the bundle and what is remembered", () => {
  const { metadata } = THING;
  const changed: Readonly<Record<string, string>> = {
    spec: inputs({ ...THING, spec: { size: 2 } }),
    status: inputs({ ...THING, status: { revision: 2 } }),
    labels: inputs({ ...THING, metadata: { ...metadata, labels: {} } }),
    annotations: inputs({ ...THING, metadata: { ...metadata, annotations: { a: "1" } } }),
    finalizers: inputs({ ...THING, metadata: { ...metadata, finalizers: ["x"] } }),
    uid: inputs(THING, { ...RECORD, uid: "other" }),
    inventory: inputs(THING, { ...RECORD, inventory: [] }),
    previous: inputs(THING, { ...RECORD, previous: `{"a":1}` }),
    revision: inputs(THING, { ...RECORD, revision: 2 }),
    bundle: inputs(THING, RECORD, { ...STATE, bundle: testBundle({ "core/a.yaml": "b" }) }),
    refusal: inputs(THING, RECORD, { ...STATE, refusal: "x" }),
  };
  assert.equal(new Set([inputs(), ...Object.values(changed)]).size, 12, JSON.stringify(changed));
});

Deno.test("what moves with each write of anybody is none", () => {
  const metadata = { ...THING.metadata, resourceVersion: "2", managedFields: [{ manager: "x" }] };
  assert.equal(inputs({ ...THING, metadata }), inputs());
});

Deno.test("as left: each object of the inventory is alive, the same, with our fields as they were, and no other is ours", () => {
  const { metadata } = CHILD;
  assert.equal(isLeft(CHILD), true);
  assert.equal(
    isLeft(
      live(configMap("one"), "u1", { managedFields: [...metadata.managedFields ?? [], { manager: "hpa" }] }),
    ),
    true,
  );
  assert.equal(isLeft(), false);
  assert.equal(isLeft(live(configMap("one"), "u2")), false);
  assert.equal(isLeft(live(configMap("one"), "u1", { managedFields: [] })), false);
  assert.equal(isLeft(live(configMap("one"), "u1", { deletionTimestamp: "2026-01-01T00:00:00Z" })), false);
  assert.equal(isLeft(CHILD, live(configMap("orphan"), "u9")), false);
  assert.equal(isLeft(CHILD, live(configMap("original"), "u9", { name: "copied" })), true);
});
