/**
 * Kubernetes objects as data: what every object has, and the guard through which cluster JSON becomes one.
 *
 * No typed models: a model drops the fields it does not know (see the case apply-unknown-schema-fields-survive).
 */
import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";

/** An entry of `metadata.ownerReferences`. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** An entry of `metadata.managedFields`. */
export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsV1?: JsonObject;
}

/** `metadata` of any object. `resourceVersion` is opaque: compare for equality only. Times are RFC 3339. */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** Any Kubernetes object, or the metadata of one (`PartialObjectMetadata`). */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

/** The guard for JSON from a cluster: texts where an object must have texts, and a name. */
export function isKubeObject(value: unknown): value is KubeObject {
  if (!isJsonObject(value)) return false;
  const metadata: JsonValue | undefined = value.metadata;
  return typeof value.apiVersion === "string" && typeof value.kind === "string" &&
    isJsonObject(metadata) && typeof metadata.name === "string";
}

/** True once somebody asked for the deletion of the object. */
export function isBeingDeleted(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}
