/**
 * References: which object is meant, without the object. Identity is group, kind, namespace and name; the version is
 * only how to speak of it (the same object is served in several), and the UID tells a namesake from the same object.
 */
import { apiVersionOf, groupKindOf, type GroupVersionKind, gvkOf } from "./gvk.ts";
import type { KubeObject } from "./object.ts";

/** Reference to an object; `namespace` is absent for a cluster-scoped one. */
export interface ObjectRef extends GroupVersionKind {
  readonly namespace?: string;
  readonly name: string;
}

/** The reference of an object. */
export function refOf(object: KubeObject): ObjectRef {
  const { name, namespace } = object.metadata;
  return { ...gvkOf(object), ...(namespace === undefined ? {} : { namespace }), name };
}

/** Identity as a key for maps: equal for the same object in every version. */
export function refKey(ref: ObjectRef): string {
  return `${groupKindOf(ref)}/${ref.namespace ?? ""}/${ref.name}`;
}

/** For people: `ConfigMap shop-dev/settings`, `ClusterRole.rbac.authorization.k8s.io reader`. */
export function formatRef(ref: ObjectRef): string {
  return `${groupKindOf(ref)} ${ref.namespace === undefined ? "" : `${ref.namespace}/`}${ref.name}`;
}

/** `apiVersion` and `kind` of a reference, as an object has them. */
export function typeMetaOf(ref: GroupVersionKind): { readonly apiVersion: string; readonly kind: string } {
  return { apiVersion: apiVersionOf(ref), kind: ref.kind };
}
