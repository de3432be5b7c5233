import assert from "node:assert/strict";
import { type HistoryEntry, historyText, specChanges, trimHistory } from "./history.ts";

function entry(revision: number, more: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    revision,
    time: "2026-01-01T00:00:00Z",
    generation: revision,
    cause: "spec",
    by: ["kubectl"],
    changes: [],
    bundle: "b",
    outcome: "o",
    counts: { created: 2 },
    result: "complete",
    ...more,
  };
}

Deno.test("spec changes name path, old and new value; absent sides are absent", () => {
  const changes = specChanges(
    { quota: { cpu: "1", gone: true }, list: [1, 2], "odd key": 1 },
    { quota: { cpu: "2", come: null }, list: [1], "odd key": 2 },
  );
  assert.deepEqual(changes, [
    { path: "spec.quota.cpu", old: "1", new: "2" },
    { path: "spec.quota.gone", old: true },
    { path: "spec.quota.come", new: null },
    { path: "spec.list[1]", old: 2 },
    { path: 'spec["odd key"]', old: 1, new: 2 },
  ]);
});

Deno.test("many changes are counted, not listed", () => {
  const after = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`k${i}`, i]));
  const changes = specChanges({}, after, 50);
  assert.equal(changes.length, 51);
  assert.equal(changes[50]?.path, "(and 10 more)");
});

Deno.test("history is bounded by count and by bytes, the newest stays", () => {
  const many = Array.from({ length: 200 }, (_, i) => entry(i + 1));
  assert.deepEqual(
    trimHistory(many, 100).map((one) => one.revision),
    many.slice(100).map((one) => one.revision),
  );
  const big = Array.from({ length: 5 }, (_, i) => entry(i + 1, { result: "x".repeat(100 * 1024) }));
  assert.deepEqual(trimHistory(big, 100).map((one) => one.revision), [4, 5]);
  assert.equal(trimHistory([entry(1, { result: "x".repeat(1024 * 1024) })], 100).length, 1);
});

Deno.test("the text is for people: newest first, with who, what and how it went", () => {
  const text = historyText([
    entry(1, { cause: "created" }),
    entry(2, { changes: [{ path: "spec.a", old: 1, new: "two" }] }),
  ]);
  assert.equal(
    text,
    'revision 2  2026-01-01T00:00:00Z  spec by kubectl  generation 2\n  spec.a: 1 -> "two"\n  complete: 2 created\n\n' +
      "revision 1  2026-01-01T00:00:00Z  created by kubectl  generation 1\n  complete: 2 created\n",
  );
});

Deno.test("a long value is cut to its beginning, size and digest; a path likewise", () => {
  const [change] = specChanges({ ca: "é".repeat(150_000) }, { ca: { pem: "y".repeat(2000) } });
  assert.ok(typeof change?.old === "string" && typeof change.new === "string");
  assert.match(change.old, /^é{450}\.\.\. \(300000 bytes, sha256:[0-9a-f]{64}\)$/);
  assert.match(change.new, /^\{"pem":"y+\.\.\. \(2010 bytes, sha256:[0-9a-f]{64}\)$/);
  assert.equal(change.cut, true);
  const [keyed] = specChanges({}, { ["k".repeat(5000)]: "v".repeat(900) });
  assert.ok((keyed?.path.length ?? 0) < 1100);
  assert.equal(keyed?.new, "v".repeat(900));
  assert.deepEqual(specChanges({ a: "x".repeat(1000) }, { a: 1n }), [{
    path: "spec.a",
    old: "x".repeat(1000),
    new: 1n,
  }]);
});
