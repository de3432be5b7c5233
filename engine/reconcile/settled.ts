/**
 * Instances at rest: when nothing that a render depends on has changed since a round that had nothing to do, and every child is as it was
 * left, then there is nothing to render, parse or compare again. Our own writes come back as events, so this is the most frequent round of all.
 */
import { type LiveObjects, ownedObjects, type Ownership, ownFieldsDigest } from "../apply/mod.ts";
import { digestOf } from "../meta/mod.ts";
import type { InstanceRecord } from "../revision/mod.ts";
import type { BundleState, Instance } from "./world.ts";

/** Everything that a round of an instance depends on, as one digest. */
export function inputsDigest(
  instance: Instance,
  record: InstanceRecord,
  { bundle, refusal }: BundleState,
): string {
  const { resourceVersion: _version, managedFields: _managed, ...metadata } = instance.object.metadata;
  const { revision, previous, inventory, uid } = record;
  return digestOf([
    bundle?.digest,
    refusal,
    { ...instance.object, metadata },
    { uid, revision, previous, inventory },
  ]);
}

/** Every object of the inventory is alive and has our fields as we left them, and nothing else is ours. */
export function isAsLeft(record: InstanceRecord, live: LiveObjects, ownership: Ownership): boolean {
  const { inventory } = record;
  if (ownedObjects(inventory, live, ownership).length !== inventory.length) return false;
  return inventory.every(({ ref, uid, fields }) => {
    const object = live.get(ref);
    return object !== undefined && object.metadata.uid === uid &&
      object.metadata.deletionTimestamp === undefined &&
      ownFieldsDigest(object, ownership.fieldManager) === fields;
  });
}
