import assert from "node:assert/strict";
import type { ManagedFieldsEntry } from "../meta/mod.ts";
import { applyEntry, configMap, live } from "../testing/builders.ts";
import { ownFieldsDigest, rivalsOf } from "./drift.ts";

const OURS = applyEntry({ "f:data": {} });
const T1 = "2026-01-01T00:00:01Z";

function digestWith(...managedFields: readonly ManagedFieldsEntry[]): string {
  return ownFieldsDigest(live(configMap("x"), "u1", { managedFields }), "engine");
}

Deno.test("the digest moves with our fields, our time and our version, and with nothing else", () => {
  const before = digestWith(OURS);
  const foreign: ManagedFieldsEntry = {
    manager: "hpa",
    operation: "Update",
    time: T1,
    fieldsV1: { "f:spec": {} },
  };
  const status = { ...OURS, subresource: "status", time: T1 };
  assert.match(before, /^[0-9a-f]{32}$/);
  assert.equal(digestWith(foreign, OURS, status), before);
  assert.equal(digestWith({ ...OURS, operation: "Update" }, OURS), before);
  for (const other of [{ fieldsV1: {} }, { time: T1 }, { apiVersion: "v2" }]) {
    assert.notEqual(digestWith({ ...OURS, ...other }), before, Object.keys(other).join());
  }
});

Deno.test("without an entry of ours, all was taken from us", () => {
  assert.equal(digestWith(), "");
  assert.equal(digestWith({ ...OURS, manager: "kubectl" }), "");
  assert.equal(ownFieldsDigest(configMap("x"), "engine"), "");
});

Deno.test("rivals are who wrote since our apply, each once, without status writers and ourselves", () => {
  const by = (manager: string, time: string, subresource?: string): ManagedFieldsEntry => ({
    manager,
    operation: "Update",
    time,
    ...(subresource === undefined ? {} : { subresource }),
  });
  const managedFields = [
    { ...OURS, time: T1 },
    by("kubectl", T1),
    by("argo", "2026-01-01T00:00:02Z"),
    by("argo", "2026-01-01T00:00:03Z", "scale"),
    by("before", "2026-01-01T00:00:00Z"),
    by("controller", "2026-01-01T00:00:05Z", "status"),
    by("engine", "2026-01-01T00:00:05Z"),
  ];
  assert.deepEqual(rivalsOf(live(configMap("x"), "u1", { managedFields }), "engine"), ["argo", "kubectl"]);
  assert.deepEqual(rivalsOf(live(configMap("x"), "u1", { managedFields: [{ time: T1 }] }), "engine"), [
    "unknown",
  ]);
});
