/**
 * The instances of the CRD, whole and with their text, and the records that belong to them: the two caches a reconcile starts from.
 */
import type { ReadObject } from "../kube/mod.ts";
import type { KubeObject } from "../meta/mod.ts";
import type { InstanceCache, Request } from "../reconcile/mod.ts";
import type { Informer } from "../watch/mod.ts";

/** Index of instances by UID. */
export const BY_UID = "uid";

/** Index function of instances by UID. */
export function uidOf(object: KubeObject): readonly string[] {
  return [object.metadata.uid ?? ""];
}

/** `InstanceCache` over an informer of whole objects that has the index BY_UID. */
export function instanceCache(informer: Informer): InstanceCache {
  return {
    read: ({ namespace, name }) => informer.read(namespace, name),
    existsUid: (uid) => informer.byIndex(BY_UID, uid).length > 0,
    beginWrite: ({ namespace, name }) => {
      const pending = informer.beginWrite(namespace, name);
      return {
        done: (read: ReadObject) => pending.done(read.object, read.text),
        gone: () => pending.gone(),
        failed: () => pending.failed(),
      };
    },
  };
}

/** The request for an instance object. */
export function requestOf({ metadata: { namespace, name } }: KubeObject): Request {
  return namespace === undefined ? { name } : { namespace, name };
}

/** Index of records by the instance that their annotation names. */
export const BY_INSTANCE = "instance";

/** Index function of records, by names of annotations. A copy of a record names another object than itself, and is none. */
export function instanceKeyOf(
  annotations: { readonly instance: string; readonly record: string },
): (object: KubeObject) => readonly string[] {
  return ({ metadata }) => {
    const { [annotations.instance]: instance, [annotations.record]: record } = metadata.annotations ?? {};
    const isCopy = record !== undefined && record !== metadata.name;
    return instance === undefined || isCopy ? [] : [instance];
  };
}

/** The record cache of `revision`, over an informer of whole ConfigMaps in one namespace that has the index BY_INSTANCE. */
export function recordCache(
  informer: Informer,
  namespace: string,
): {
  find(instanceKey: string): KubeObject | undefined;
  beginWrite(name: string): { done(object: KubeObject): void; gone(): void; failed(): void };
} {
  return {
    find: (instanceKey) => informer.byIndex(BY_INSTANCE, instanceKey)[0],
    beginWrite: (name) => informer.beginWrite(namespace, name),
  };
}
