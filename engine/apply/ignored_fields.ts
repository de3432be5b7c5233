/**
 * `_ignore`: fields that are set when an object is made and belong to others afterwards (replicas and an autoscaler).
 *
 * A field that is simply left out of the next apply would be deleted by the API server, so it is never in our own apply: a second
 * field manager sets it once. This file splits a manifest into the two parts.
 */
import { isJsonObject, isKubeObject, type KubeObject } from "../meta/mod.ts";

/** A manifest in two parts: `own` is applied again and again, `initial` (if anything is left to it) once. */
export interface SplitObject {
  readonly own: KubeObject;
  readonly initial: KubeObject | undefined;
}

/** Splits by dotted paths (`spec.replicas`, `data.key`). A path that the object does not have is nothing. */
export function splitIgnored(object: KubeObject, paths: readonly string[]): SplitObject {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace } = metadata;
  const base: KubeObject = {
    apiVersion,
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  };
  let own = object;
  let initial: KubeObject | undefined;
  for (const path of paths) {
    const keys = path.split(".");
    const value = valueAt(object, keys);
    const rest = without(own, keys);
    const left = withValue(initial ?? base, keys, value);
    // A path that would take away the object's name or kind is not followed.
    if (value === undefined || !isKubeObject(rest) || !isKubeObject(left)) continue;
    own = rest;
    initial = left;
  }
  return { own, initial };
}

function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce((at: unknown, key) => isJsonObject(at) ? at[key] : undefined, value);
}

function without(value: unknown, keys: readonly string[]): Record<string, unknown> {
  const [first, ...rest] = keys;
  const copy: Record<string, unknown> = isJsonObject(value) ? { ...value } : {};
  if (first === undefined) return copy;
  if (rest.length === 0) delete copy[first];
  else copy[first] = without(copy[first], rest);
  return copy;
}

function withValue(value: unknown, keys: readonly string[], leaf: unknown): Record<string, unknown> {
  const [first, ...rest] = keys;
  const copy: Record<string, unknown> = isJsonObject(value) ? { ...value } : {};
  if (first !== undefined) copy[first] = rest.length === 0 ? leaf : withValue(copy[first], rest, leaf);
  return copy;
}
