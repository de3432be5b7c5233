import assert from "node:assert/strict";
import { ownNames } from "../meta/mod.ts";
import {
  decodeRecord,
  emptyRecord,
  encodeRecord,
  type InstanceRecord,
  recordName,
  type RecordOwner,
} from "./record.ts";

const OWNER: RecordOwner = {
  ref: { group: "example.com", version: "v1", kind: "Thing", namespace: "shop", name: "one" },
  plural: "things",
  implementation: "things.example.com",
  source: "configmap:sys/impl",
};
const RECORD: InstanceRecord = {
  ...emptyRecord("u1"),
  revision: 3,
  revisionTimestamp: "2026-01-01T00:00:00Z",
  specDigest: "s",
  bundleDigest: "b",
  outcomeDigest: "o",
  inventory: [{
    ref: { group: "", version: "v1", kind: "ConfigMap", namespace: "shop", name: "x" },
    uid: "cu",
    digest: "d",
    fields: "f",
    keep: "until-deleted",
  }],
  previous: '{"b":1,"10":2}',
  spec: { a: 1 },
};
const AS = { owner: OWNER, name: "one-history", namespace: "sys", names: ownNames(), limit: 10 };

Deno.test("a record comes back as it was, and the same record gives the same bytes", () => {
  const object = encodeRecord(RECORD, AS);
  assert.deepEqual(decodeRecord(object), { record: RECORD, damaged: [] });
  assert.deepEqual(encodeRecord(RECORD, AS), object);
  assert.equal(object.metadata.labels?.["generic-operator.io/component"], "record");
  assert.equal(object.metadata.annotations?.["generic-operator.io/crd"], "example.com/v1/Thing/things");
});

Deno.test("a record that was edited into nonsense says which keys are lost and keeps the rest", () => {
  const object = encodeRecord(RECORD, AS);
  const data = {
    ...(typeof object.data === "object" ? object.data : {}),
    "inventory.json": "{oops",
    "previous.json": "[1]",
  };
  const { record, damaged } = decodeRecord({ ...object, data });
  assert.deepEqual(damaged, ["inventory.json"]);
  assert.deepEqual(record.inventory, []);
  assert.equal(record.previous, "{}");
  assert.equal(record.revision, 3);
});

Deno.test("names: readable, valid, and apart for long and for equal-looking instances", () => {
  const long = "a".repeat(249);
  const names = [
    recordName({ ...OWNER.ref, name: `${long}b` }),
    recordName({ ...OWNER.ref, name: `${long}c` }),
    recordName({ ...OWNER.ref, namespace: "shop-one", name: "x" }),
    recordName({ ...OWNER.ref, namespace: "shop", name: "one-x" }),
    recordName({ group: "example.com", version: "v1", kind: "Thing", name: "system:x" }),
  ];
  assert.equal(new Set(names).size, names.length);
  for (const name of names) {
    assert.ok(name.length <= 253, name);
    assert.match(name, /^[a-z0-9]([a-z0-9.-]*[a-z0-9])$/);
  }
});
