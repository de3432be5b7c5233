import assert from "node:assert/strict";
import type { InventoryEntry, KubeObject, Manifest, ObjectRef } from "../meta/mod.ts";
import { refKey, refOf } from "../meta/mod.ts";
import { applyEntry, configMap, live, manifest, NAMES, ownership, resource } from "../testing/builders.ts";
import type { Desired } from "./desired.ts";
import { ownFieldsDigest } from "./drift.ts";
import { type LiveObjects, makePlan } from "./plan.ts";

const OWNERSHIP = ownership();

function desired(object: KubeObject, more: Partial<Manifest> = {}): Desired {
  return {
    manifest: manifest(object, more),
    ref: refOf(object),
    resource: resource(object.kind),
    object,
    initial: undefined,
    needsNamespace: false,
    digest: "d1",
  };
}

function entry(
  object: KubeObject,
  alive: KubeObject | undefined,
  more: Partial<InventoryEntry> = {},
): InventoryEntry {
  const fields = alive === undefined ? "f" : ownFieldsDigest(alive, "engine");
  return { ref: refOf(object), uid: alive?.metadata.uid ?? "u1", digest: "d1", fields, keep: false, ...more };
}

function cache(...objects: readonly KubeObject[]): LiveObjects {
  return {
    get: (ref: ObjectRef) => objects.find((object) => refKey(refOf(object)) === refKey(ref)),
    ownedBy: (uid) => objects.filter((object) => object.metadata.labels?.[NAMES.owner] === uid),
  };
}

function kinds(
  wanted: readonly Desired[],
  inventory: readonly InventoryEntry[],
  alive: LiveObjects,
): readonly string[] {
  return makePlan(wanted, { inventory, live: alive, ownership: OWNERSHIP }).apply.map((step) => step.kind);
}

Deno.test("same digest, UID and own fields: unchanged", () => {
  const one = configMap("one");
  const alive = live(one, "u1");
  assert.deepEqual(kinds([desired(one)], [entry(one, alive)], cache(alive)), ["unchanged"]);
});

Deno.test("another digest: configured; no rival is named", () => {
  const one = configMap("one");
  const alive = live(one, "u1");
  const plan = makePlan([desired(one)], {
    inventory: [entry(one, alive, { digest: "d0" })],
    live: cache(alive),
    ownership: OWNERSHIP,
  });
  assert.deepEqual(plan.apply[0], { kind: "configure", desired: desired(one), uid: "u1", against: [] });
});

Deno.test("a field was taken from us: configured against the manager that wrote since", () => {
  const one = configMap("one");
  const before = live(one, "u1");
  const edited = live(one, "u1", {
    managedFields: [
      applyEntry({}),
      { manager: "older", operation: "Update", time: "2025-01-01T00:00:00Z" },
      { manager: "kubectl-edit", operation: "Update", time: "2026-01-01T00:00:05Z" },
    ],
  });
  const plan = makePlan([desired(one)], {
    inventory: [entry(one, before)],
    live: cache(edited),
    ownership: OWNERSHIP,
  });
  const step = plan.apply[0];
  assert.equal(step?.kind, "configure");
  assert.deepEqual(step?.kind === "configure" && step.against, ["kubectl-edit"]);
});

Deno.test("foreign additions and status do not matter", () => {
  const one = configMap("one");
  const before = live(one, "u1");
  const touched = live(one, "u1", {
    resourceVersion: "9",
    annotations: { foreign: "yes" },
    managedFields: [applyEntry({ "f:data": {} }), {
      manager: "x",
      operation: "Update",
      time: "2027-01-01T00:00:00Z",
    }],
  });
  assert.deepEqual(kinds([desired(one)], [entry(one, before)], cache(touched)), ["unchanged"]);
});

Deno.test("gone, though remembered: created again, as a repair that knows the old UID", () => {
  const one = configMap("one");
  const plan = makePlan([desired(one)], {
    inventory: [entry(one, undefined)],
    live: cache(),
    ownership: OWNERSHIP,
  });
  assert.deepEqual(plan.apply, [{ kind: "create", desired: desired(one), uid: "u1", repair: true }]);
});

/** A copy of a child under another name, with labels, annotations and managedFields. */
function copied(name: string, uid: string): KubeObject {
  return live(configMap("original"), uid, { name });
}

Deno.test("a copy that took the name is not ours: only a create, which the server refuses", () => {
  assert.deepEqual(kinds([desired(configMap("one"))], [], cache(copied("one", "u9"))), ["create"]);
});

Deno.test("being deleted: nothing is written to it", () => {
  const one = configMap("one");
  const dying = live(one, "u1", { deletionTimestamp: "2026-01-01T00:00:00Z" });
  assert.deepEqual(kinds([desired(one)], [entry(one, dying)], cache(dying)), ["terminating"]);
});

Deno.test("no longer rendered: pruned in reverse order; kept ones and copies stay, orphans of a crash go", () => {
  const [a, b, c, d, orphan] = ["a", "b", "c", "d", "orphan"].map((name) => configMap(name));
  assert.ok(a && b && c && d && orphan);
  const inventory = [
    entry(a, undefined, { uid: "ua" }),
    entry(b, undefined, { uid: "ub" }),
    entry(c, undefined, { uid: "uc", keep: "always" }),
    entry(d, undefined, { uid: "ud", keep: "until-deleted" }),
  ];
  const kept = live(configMap("kept"), "uk");
  const annotations = { ...kept.metadata.annotations, [NAMES.keep]: "always" };
  const keptOrphan = { ...kept, metadata: { ...kept.metadata, annotations } };
  const alive = cache(live(orphan, "uo"), copied("copy", "ux"), keptOrphan);
  const plan = makePlan([desired(b)], { inventory, live: alive, ownership: OWNERSHIP });
  assert.deepEqual(plan.prune.map((step) => step.uid), ["ua", "uo"]);
});

Deno.test("_action: delete of what is not ours makes no step; of what is ours, a delete that names its template", () => {
  const gone = desired(configMap("gone"), { action: "delete" });
  assert.deepEqual(makePlan([gone], { inventory: [], live: cache(), ownership: OWNERSHIP }), {
    apply: [],
    prune: [],
  });
  const alive = live(configMap("gone"), "u1");
  const plan = makePlan([gone], {
    inventory: [entry(alive, alive)],
    live: cache(alive),
    ownership: OWNERSHIP,
  });
  assert.deepEqual(plan.prune, [{ ref: gone.ref, uid: "u1", template: "core/test.yaml" }]);
});

Deno.test("Namespaces and CRDs go first within a wave, and a _wait ends a wave", () => {
  const namespace: KubeObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } };
  const later: KubeObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: "later" } };
  const wanted = [
    desired(configMap("a")),
    desired(namespace),
    desired(configMap("b"), { wait: {} }),
    desired(configMap("c")),
    desired(later),
  ];
  const plan = makePlan(wanted, { inventory: [], live: cache(), ownership: OWNERSHIP });
  assert.deepEqual(plan.apply.map((step) => step.desired.ref.name), ["shop", "a", "b", "later", "c"]);
});
