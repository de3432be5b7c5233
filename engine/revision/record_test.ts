import assert from "node:assert/strict";
import { digestOf, isJsonObject, type KubeObject, ownNames } from "../meta/mod.ts";
import { decodeRecord } from "./decoding.ts";
import type { HistoryEntry } from "./history.ts";
import {
  changesSince,
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
  assert.deepEqual(damaged, ["inventory.json", "previous.json"]);
  assert.deepEqual(record.inventory, []);
  assert.equal(record.previous, "{}");
  assert.equal(record.revision, 3);
});

const ENTRY: HistoryEntry = {
  revision: 3,
  time: "2026-01-01T00:00:00Z",
  generation: 3,
  cause: "spec",
  by: ["kubectl"],
  changes: [{ path: "spec.a", old: 1, new: null }],
  bundle: "b",
  outcome: "o",
  counts: { created: 2 },
  result: "complete",
};

Deno.test("an element of another shape is left out, and its key is named: nothing that is read later can fail", () => {
  const [kept] = RECORD.inventory;
  const faults: readonly (readonly [key: string, good: object, bad: Record<string, unknown>])[] = [
    ...[
      { changes: [null] },
      { changes: [{ path: 1 }] },
      { changes: [{ path: "spec", cut: "yes" }] },
      { changes: {} },
      { by: [1] },
      { counts: { a: {} } },
      { counts: [] },
      { cause: "whim" },
      { result: null },
      { bundle: 1 },
      { outcome: [] },
      { generation: "1" },
      { revision: 1.5 },
      { time: 0 },
    ].map((bad) => ["history.json", ENTRY, bad] as const),
    ...[
      { keep: true },
      { waited: "yes" },
      { uid: 1 },
      { ref: { ...kept?.ref, namespace: 1 } },
      { ref: { ...kept?.ref, namespace: null } },
      { ref: null },
    ].map((bad) => ["inventory.json", { ...kept }, bad] as const),
  ];
  for (const [key, good, bad] of faults) {
    const { record, damaged } = decodeRecord(
      edited(encodeRecord(RECORD, AS), { [key]: JSON.stringify([{ ...good, ...bad }, good]) }),
    );
    assert.deepEqual(damaged, [key], JSON.stringify(bad));
    assert.deepEqual(key === "history.json" ? record.history : record.inventory, [good], JSON.stringify(bad));
    encodeRecord(record, AS);
  }
});

Deno.test("a key that is missing or of another shape is named", () => {
  const { metadata } = encodeRecord(RECORD, AS);
  const none = decodeRecord({ apiVersion: "v1", kind: "ConfigMap", metadata });
  assert.deepEqual(none, {
    record: emptyRecord(""),
    damaged: ["state.json", "inventory.json", "history.json", "previous.json"],
  });
  const state = (more: object) =>
    decodeRecord(edited(encodeRecord(RECORD, AS), { "state.json": JSON.stringify({ ...RECORD, ...more }) }));
  assert.deepEqual(state({}).damaged, []);
  for (const bad of [{ revision: "3" }, { revision: -1 }, { uid: 1 }, { outcomeDigest: null }]) {
    assert.deepEqual(state(bad).damaged, ["state.json"], JSON.stringify(bad));
  }
});

Deno.test("whatever a record holds, it fits; what goes first is what is missed least, and the inventory never goes", () => {
  const spec = { a: "x".repeat(200 * 1024) };
  const previous = (kib: number) => JSON.stringify({ v: "é".repeat(kib * 512) });
  const history = Array.from(
    { length: 100 },
    (_, i) => ({ ...ENTRY, revision: i + 1, result: "r".repeat(2000) }),
  );
  const inventory = (n: number) => Array.from({ length: n }, () => RECORD.inventory).flat();
  const shown = (more: Partial<InstanceRecord>) => {
    const object = encodeRecord({ ...RECORD, spec, history, ...more }, AS_LONG);
    assert.ok(sizeOf(object) <= 900 * 1024, `${sizeOf(object)} bytes`);
    const { record, damaged } = decodeRecord(object);
    assert.deepEqual(damaged, []);
    assert.deepEqual(encodeRecord(record, AS_LONG).data, object.data, "at rest it stays as it is");
    assert.deepEqual(record.inventory, more.inventory ?? RECORD.inventory);
    return [
      String(isJsonObject(object.data) ? object.data["history.txt"] : "").length > 1000,
      record.history.length,
      record.spec !== undefined,
      record.previous !== "{}",
    ];
  };
  assert.deepEqual(shown({}), [true, 100, true, true]);
  assert.deepEqual(shown({ previous: previous(400) }), [false, 100, true, true]);
  const [text, some = 0, ...rest] = shown({ previous: previous(600) });
  assert.deepEqual([text, rest], [false, [true, true]]);
  assert.ok(Number(some) > 20 && Number(some) < 60, `${some} entries`);
  assert.deepEqual(shown({ previous: previous(700) }), [true, 1, false, true]);
  assert.deepEqual(shown({ previous: previous(900) }), [true, 1, false, false]);
  const large = [{ ...ENTRY, result: "r".repeat(2000 * 1024) }];
  assert.deepEqual(shown({ history: large }), [false, 0, false, false]);
  assert.deepEqual(shown({ inventory: inventory(4000), previous: previous(700) }), [true, 1, false, false]);
});

Deno.test("a large spec is known by its digest alone, and what changed says so", () => {
  const large = { a: "x".repeat(300 * 1024) };
  const before = { ...RECORD, spec: large, specDigest: digestOf(large) };
  const { record } = decodeRecord(encodeRecord(before, AS));
  assert.equal(record.spec, undefined);
  assert.equal(record.specDigest, before.specDigest);
  assert.deepEqual(changesSince(record, large), []);
  assert.deepEqual(changesSince(record, { a: 1 }), [{
    path: "spec",
    old: `(too large to be kept, sha256:${digestOf(large)})`,
    new: { a: 1 },
    cut: true,
  }]);
  assert.deepEqual(changesSince(record, undefined).map(({ path, new: now }) => [path, now]), [[
    "spec",
    undefined,
  ]]);
  const none = { ...RECORD, spec: undefined, specDigest: digestOf(null) };
  assert.deepEqual(changesSince(none, { a: 1 }), [{ path: "spec", new: { a: 1 } }]);
});

const AS_LONG = { ...AS, limit: 1000 };

function edited(object: KubeObject, data: Readonly<Record<string, string>>): KubeObject {
  return { ...object, data: { ...(isJsonObject(object.data) ? object.data : {}), ...data } };
}

/** Bytes as the API server counts them. */
function sizeOf({ data }: KubeObject): number {
  const texts = Object.values(isJsonObject(data) ? data : {});
  return texts.reduce<number>((sum, text) => sum + new TextEncoder().encode(String(text)).length, 0);
}

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
