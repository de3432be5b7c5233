/**
 * Drift, exactly and cheaply: did anybody take a field from us?
 *
 * The API server keeps in `metadata.managedFields` the set of fields that our applies own. It takes a field out of that set the moment
 * somebody else changes or removes it, and leaves the set alone when others add fields, when status moves, when quantities are
 * normalised or defaults filled in. So a digest of our entry is all that must be remembered, and metadata all that must be watched.
 */
import { digestOf, type KubeObject } from "../meta/mod.ts";
import { ownEntry } from "./ownership.ts";

/** Digest of our entry: its fields and its time. Empty when we have none: then everything was taken from us. */
export function ownFieldsDigest(live: KubeObject, fieldManager: string): string {
  const entry = ownEntry(live, fieldManager);
  if (entry === undefined) return "";
  return digestOf([entry.fieldsV1, entry.time, entry.apiVersion]).slice(0, 32);
}

/** The field managers that wrote after our last apply: those against whom a repair is made. Sorted, without our own. */
export function rivalsOf(live: KubeObject, fieldManager: string): readonly string[] {
  const since = ownEntry(live, fieldManager)?.time ?? "";
  const rivals = (live.metadata.managedFields ?? [])
    .filter((entry) => entry.manager !== fieldManager && entry.subresource !== "status")
    .filter((entry) => (entry.time ?? "") >= since)
    .map((entry) => entry.manager ?? "unknown");
  return [...new Set(rivals)].sort();
}
