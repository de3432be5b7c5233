/**
 * Whose is an object? Children carry two labels (implementation, owner UID) and, where scope allows, an owner reference; the
 * server's own book-keeping (managedFields) says who made it. All pure: objects in, objects or answers out.
 *
 * A label alone proves nothing: people copy manifests with their labels, and the API server copies a Service's labels to its
 * EndpointSlices. So each child also carries an identity: a digest of the instance's name and its own.
 */
import {
  digestOfText,
  type KubeObject,
  type ManagedFieldsEntry,
  type Manifest,
  type ObjectRef,
  type OwnerReference,
  type OwnNames,
  refKey,
  refOf,
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

/** Which object of which instance: equal names, equal identity. */
function identityOf(ref: ObjectRef, { owner }: Ownership): string {
  return digestOfText(`${refKey(owner)}\n${refKey(ref)}`).slice(0, 20);
}

/**
 * The object as it is applied: with our labels and annotations, which always win, and the owner reference unless it is to outlive the owner.
 */
export function stamp(object: KubeObject, ownership: Ownership, keep: Manifest["keep"]): KubeObject {
  const { metadata } = object;
  const { owner, uid, names } = ownership;
  const reference: OwnerReference = { ...typeMetaOf(owner), name: owner.name, uid, controller: true };
  const references = [...metadata.ownerReferences ?? []];
  if (keep !== "always" && mayReference(owner, metadata.namespace)) references.push(reference);
  return {
    ...object,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, [names.implementation]: ownership.implementation, [names.owner]: uid },
      annotations: {
        ...metadata.annotations,
        [names.identity]: identityOf(refOf(object), ownership),
        ...(keep === false ? {} : { [names.keep]: keep }),
      },
      ...(references.length > 0 ? { ownerReferences: references } : {}),
    },
  };
}

/** What a `_keep` of the object said when it was applied. */
export function keepOf(live: KubeObject, names: OwnNames): Manifest["keep"] {
  const keep = live.metadata.annotations?.[names.keep];
  return keep === "always" || keep === "until-deleted" ? keep : false;
}

/** The entry of our server-side applies in an object's managedFields. */
export function ownEntry(live: KubeObject, fieldManager: string): ManagedFieldsEntry | undefined {
  return live.metadata.managedFields?.find((entry) =>
    entry.manager === fieldManager && entry.operation === "Apply" && entry.subresource === undefined
  );
}

/**
 * Is it ours? Either it says by its identity that it is this very object of this very instance, and we applied it or our label is on it; or
 * the record knows its UID (`recordedUid`), and nobody else's label is on it. One proof alone is not enough: labels are edited and copied, managedFields
 * are restored with a backup, and a record can be edited.
 */
export function isOurs(live: KubeObject, ownership: Ownership, recordedUid?: string): boolean {
  const { names, uid, fieldManager } = ownership;
  const { labels, annotations } = live.metadata;
  const owner = labels?.[names.owner];
  const isApplied = ownEntry(live, fieldManager) !== undefined;
  if (annotations?.[names.identity] === identityOf(refOf(live), ownership)) return isApplied || owner === uid;
  if (recordedUid === undefined || recordedUid !== live.metadata.uid) return false;
  return owner === uid || (owner === undefined && isApplied);
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
export function holderOf(live: KubeObject, { names, uid }: Ownership): string {
  const { ownerReferences = [], labels, managedFields = [] } = live.metadata;
  const managers = [...new Set(managedFields.map((entry) => entry.manager ?? "unknown"))].join(", ");
  const owner = labels?.[names.owner];
  if (owner === uid) return `another operator that serves this very instance (field manager ${managers})`;
  const controller = ownerReferences.find((reference) => reference.controller) ?? ownerReferences[0];
  if (controller !== undefined) return `${controller.kind} ${controller.name}`;
  if (owner !== undefined) return `the instance with UID ${owner}`;
  return managers === "" ? "somebody else" : `field manager ${managers}`;
}
