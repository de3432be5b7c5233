/**
 * Short ways to write objects, manifests and resources in tests. Defaults are those of the simplest object that is right.
 */
import { type Ownership, stamp } from "../apply/mod.ts";
import type { Resource } from "../kube/mod.ts";
import { type KubeObject, type ManagedFieldsEntry, type Manifest, ownNames } from "../meta/mod.ts";

/** Own names under the default domain. */
export const NAMES = ownNames();

/** A ConfigMap. */
export function configMap(
  name: string,
  namespace = "shop",
  data: Record<string, string> = { a: "1" },
): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data };
}

/** A manifest of an object, as a template without any `_key` would give it. */
export function manifest(object: KubeObject, more: Partial<Manifest> = {}): Manifest {
  return {
    object,
    action: "apply",
    wait: false,
    keep: false,
    replace: false,
    ignore: [],
    origin: { template: "core/test.yaml", line: 1 },
    ...more,
  };
}

/** A resource: plural is the kind in lower case with an `s`. */
export function resource(kind: string, more: Partial<Resource> = {}): Resource {
  return {
    group: "",
    version: "v1",
    kind,
    plural: `${kind.toLowerCase()}s`,
    namespaced: true,
    subresources: ["status"],
    verbs: ["get", "list", "watch", "create", "update", "patch", "delete"],
    ...more,
  };
}

/** Ownership of a cluster-scoped instance `Thing one` with the UID `owner-uid`. */
export function ownership(more: Partial<Ownership> = {}): Ownership {
  return {
    owner: { group: "example.com", version: "v1", kind: "Thing", name: "one" },
    uid: "owner-uid",
    implementation: "things.example.com",
    fieldManager: "engine",
    names: NAMES,
    ...more,
  };
}

/** An entry of our applies in managedFields. */
export function applyEntry(
  fields: Record<string, Record<string, never>>,
  more: Partial<ManagedFieldsEntry> = {},
): ManagedFieldsEntry {
  return {
    manager: "engine",
    operation: "Apply",
    apiVersion: "v1",
    time: "2026-01-01T00:00:00Z",
    fieldsV1: fields,
    ...more,
  };
}

/** The object as it looks in the cluster after our apply for `ownership()`. */
export function live(
  object: KubeObject,
  uid: string,
  more: Partial<KubeObject["metadata"]> = {},
): KubeObject {
  const { labels = {}, annotations = {} } = stamp(object, ownership(), false).metadata;
  return {
    ...object,
    metadata: {
      ...object.metadata,
      uid,
      resourceVersion: "1",
      labels,
      annotations,
      managedFields: [applyEntry({ "f:data": {} })],
      ...more,
    },
  };
}
