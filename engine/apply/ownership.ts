/**
 * Whose is an object? Children carry two labels (implementation, owner UID) and, where scope allows, an owner reference; the
 * server's own book-keeping (managedFields) says who made it. All pure: objects in, objects or answers out.
 *
 * A label alone proves nothing: people copy manifests with their labels, and the API server copies a Service's labels to its
 * EndpointSlices. Ours is what carries our label *and* an entry of our field manager, or whose UID stands in the inventory.
 */
import {
  type KubeObject,
  type ManagedFieldsEntry,
  type ObjectRef,
  type OwnerReference,
  type OwnNames,
  typeMetaOf,
} from "../meta/mod.ts";

/** For whom, and as whom, objects are applied. */
export interface Ownership {
  /** The instance, and its UID. */
  readonly owner: ObjectRef;
  readonly uid: string;
  /** Value of the implementation label. */
  readonly implementation: string;
  readonly fieldManager: string;
  readonly names: OwnNames;
}

/** Who may own it by an owner reference: a cluster-scoped instance any object, a namespaced one those beside it. */
function mayReference(owner: ObjectRef, namespace: string | undefined): boolean {
  return owner.namespace === undefined || owner.namespace === namespace;
}

/** The object as it is applied: with our labels, which always win, and the owner reference unless it is to outlive the owner. */
export function stamp(object: KubeObject, ownership: Ownership, keep: boolean): KubeObject {
  const { metadata } = object;
  const { owner, uid, names } = ownership;
  const reference: OwnerReference = { ...typeMetaOf(owner), name: owner.name, uid, controller: true };
  const references = [...metadata.ownerReferences ?? []];
  if (!keep && mayReference(owner, metadata.namespace)) references.push(reference);
  return {
    ...object,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, [names.implementation]: ownership.implementation, [names.owner]: uid },
      ...(references.length > 0 ? { ownerReferences: references } : {}),
    },
  };
}

/** The entry of our server-side applies in an object's managedFields. */
export function ownEntry(live: KubeObject, fieldManager: string): ManagedFieldsEntry | undefined {
  return live.metadata.managedFields?.find((entry) =>
    entry.manager === fieldManager && entry.operation === "Apply" && entry.subresource === undefined
  );
}

/** True when the object carries our label for this owner and was applied by us. */
export function isOurs(live: KubeObject, ownership: Ownership): boolean {
  return live.metadata.labels?.[ownership.names.owner] === ownership.uid &&
    ownEntry(live, ownership.fieldManager) !== undefined;
}

/** May a foreign object be taken over? Only when it says so itself, and no living instance owns it. */
export function mayAdopt(
  live: KubeObject,
  ownership: Ownership,
  ownerExists: (uid: string) => boolean,
): boolean {
  const owner = live.metadata.labels?.[ownership.names.owner];
  const taken = owner !== undefined && owner !== ownership.uid && ownerExists(owner);
  return !taken && live.metadata.annotations?.[ownership.names.adopt] === "true";
}

/** For messages: who holds a foreign object, as far as its metadata tells. */
export function holderOf(live: KubeObject, names: OwnNames): string {
  const controller = live.metadata.ownerReferences?.find((reference) => reference.controller) ??
    live.metadata.ownerReferences?.[0];
  if (controller !== undefined) return `${controller.kind} ${controller.name}`;
  const owner = live.metadata.labels?.[names.owner];
  if (owner !== undefined) return `the instance with UID ${owner}`;
  const managers = new Set(live.metadata.managedFields?.map((entry) => entry.manager ?? "unknown"));
  return managers.size === 0 ? "somebody else" : `field manager ${[...managers].join(", ")}`;
}
