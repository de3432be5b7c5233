/**
 * The plan of a round: wanted, remembered and live go in, steps come out. Pure, no request; what is unchanged costs none later.
 *
 * Unchanged means: the same manifest was applied before (digest), to this very object (UID), and nobody took a field from us since
 * (digest of our managedFields entry).
 */
import {
  type Inventory,
  type InventoryEntry,
  type KubeObject,
  type ObjectRef,
  refKey,
  refOf,
} from "../meta/mod.ts";
import { type Desired, inOrder } from "./desired.ts";
import { ownFieldsDigest, rivalsOf } from "./drift.ts";
import { isOurs, keepOf, type Ownership } from "./ownership.ts";

/** The caches, as far as planning needs them: metadata of the children that carry our label. */
export interface LiveObjects {
  get(ref: ObjectRef): KubeObject | undefined;
  ownedBy(uid: string): readonly KubeObject[];
}

/** What is to be done with one wanted object. */
export type ApplyStep =
  /** Not seen alive: made, if nothing of that name exists. `uid`: it was ours before, under this UID. */
  | {
    readonly kind: "create";
    readonly desired: Desired;
    readonly uid: string | undefined;
    readonly repair: boolean;
  }
  /** Alive and ours, but not as wanted. `against`: whose change is undone; empty when the manifest changed. */
  | {
    readonly kind: "configure";
    readonly desired: Desired;
    readonly uid: string;
    readonly against: readonly string[];
  }
  | { readonly kind: "unchanged"; readonly desired: Desired; readonly entry: InventoryEntry }
  /** Alive, but being deleted: made again once it is gone. */
  | { readonly kind: "terminating"; readonly desired: Desired; readonly live: KubeObject };

/** An object that is to go. */
export interface PruneStep {
  readonly ref: ObjectRef;
  readonly uid: string;
  /** The template that asked for it by `_action: delete`; absent when it is just no longer rendered. */
  readonly template?: string;
}

/** Steps in the order in which they are carried out. */
export interface Plan {
  readonly apply: readonly ApplyStep[];
  readonly prune: readonly PruneStep[];
}

/** Compares. `desired` in rendered order; the prune steps come in reverse order of their application. */
export function makePlan(
  desired: readonly Desired[],
  { inventory, live, ownership }: { inventory: Inventory; live: LiveObjects; ownership: Ownership },
): Plan {
  const remembered = new Map(inventory.map((entry) => [refKey(entry.ref), entry]));
  const wanted = inOrder(desired.filter((one) => one.manifest.action === "apply"));
  const apply = wanted.map((one) =>
    stepFor(one, remembered.get(refKey(one.ref)), live.get(one.ref), ownership)
  );

  const stays = new Set(wanted.map((one) => refKey(one.ref)));
  const templates = new Map(
    desired.filter((one) => one.manifest.action === "delete")
      .map((one) => [refKey(one.ref), one.manifest.origin.template]),
  );
  const owned = ownedObjects(inventory, live, ownership);
  const prune = owned
    .filter((entry) =>
      !stays.has(refKey(entry.ref)) && (entry.keep === false || templates.has(refKey(entry.ref)))
    )
    .map(({ ref, uid }) => {
      const template = templates.get(refKey(ref));
      return { ref, uid, ...(template === undefined ? {} : { template }) };
    })
    .reverse();
  return { apply, prune };
}

function stepFor(
  desired: Desired,
  entry: InventoryEntry | undefined,
  live: KubeObject | undefined,
  ownership: Ownership,
): ApplyStep {
  if (live === undefined || live.metadata.uid === undefined) {
    // With another digest it is made for its manifest (an object that is replaced), not for what somebody took away.
    return { kind: "create", desired, uid: entry?.uid, repair: entry?.digest === desired.digest };
  }
  const { uid, deletionTimestamp } = live.metadata;
  if (!isOurs(live, ownership, entry?.uid)) {
    return { kind: "create", desired, uid: entry?.uid, repair: false };
  }
  if (deletionTimestamp !== undefined) return { kind: "terminating", desired, live };
  if (entry === undefined || entry.uid !== uid || entry.digest !== desired.digest) {
    return { kind: "configure", desired, uid, against: [] };
  }
  if (entry.fields !== ownFieldsDigest(live, ownership.fieldManager)) {
    return { kind: "configure", desired, uid, against: rivalsOf(live, ownership.fieldManager) };
  }
  return { kind: "unchanged", desired, entry };
}

/**
 * All that is ours, in the order of application: what the inventory names, and what a crash kept out of it, which says itself whose it is.
 */
export function ownedObjects(inventory: Inventory, live: LiveObjects, ownership: Ownership): Inventory {
  const known = new Set(inventory.map((entry) => entry.uid));
  const orphans = live.ownedBy(ownership.uid).filter((object) =>
    isOurs(object, ownership) && !known.has(object.metadata.uid ?? "")
  );
  const found = orphans.map((object) => entryOf(object, ownership)).sort(clusterScopedFirst);
  return [...found, ...inventory];
}

function entryOf(live: KubeObject, { names }: Ownership): InventoryEntry {
  return {
    ref: refOf(live),
    uid: live.metadata.uid ?? "",
    digest: "",
    fields: "",
    keep: keepOf(live, names),
  };
}

function clusterScopedFirst(a: InventoryEntry, b: InventoryEntry): number {
  return Number(a.ref.namespace !== undefined) - Number(b.ref.namespace !== undefined);
}
