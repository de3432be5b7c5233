/** The tree as text: heads, what they own, and what is not ready yet. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../engine/mod.ts";
import { isReady, treeLines } from "./tree.ts";

function instance(
  status: Record<string, unknown>,
  metadata: Partial<KubeObject["metadata"]> = {},
): KubeObject {
  return {
    apiVersion: "example.com/v1",
    kind: "Thing",
    metadata: { name: "a", generation: 2, ...metadata },
    status,
  };
}

const READY = {
  conditions: [{ type: "Ready", status: "True", reason: "Applied", message: "" }],
  observedGeneration: 2,
  revision: 3,
};
const CONFIG: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c", namespace: "n" } };
const STARTING: KubeObject = {
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name: "n" },
  status: { phase: "Terminating" },
};

function textOf(children: readonly KubeObject[], of: KubeObject): string {
  return treeLines([{ instance: of, children }]).map((line) => line.map(({ text }) => text).join("")).join(
    "\n",
  );
}

Deno.test("a ready instance with what it owns", () => {
  assert.equal(
    textOf([CONFIG, STARTING], instance(READY)),
    "Thing a  Ready, revision 3, 1 of 2 objects ready\n ├─ ✔ ConfigMap n/c\n └─ … Namespace n  phase is Terminating, not Active",
  );
});

Deno.test("one that nobody looked at yet, one that waits, and one that goes", () => {
  assert.equal(textOf([], instance({})), "Thing a  new, 0 of 0 objects ready");
  const waits = { conditions: [{ type: "Ready", status: "False", reason: "WaitingForObjects" }] };
  assert.equal(
    textOf([CONFIG], instance(waits)).split("\n")[0],
    "Thing a  WaitingForObjects, 1 of 1 objects ready",
  );
  const goes = instance(READY, { deletionTimestamp: "2026-01-01T00:00:00Z" });
  assert.equal(textOf([CONFIG], goes).split("\n")[0], "Thing a  being deleted, 1 objects left");
});

Deno.test("Ready of an older spec is not ready", () => {
  assert.equal(isReady(instance(READY)), true);
  assert.equal(isReady(instance({ ...READY, observedGeneration: 1 })), false);
});
