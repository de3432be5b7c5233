/**
 * The inventory of an instance: what was applied for it, in order, and how it looked to the API server afterwards.
 * `apply` compares with it, `revision` keeps it in the record. It is what deletion runs from.
 */
import type { Manifest } from "./manifest.ts";
import type { ObjectRef } from "./ref.ts";

/** An object that was applied. */
export interface InventoryEntry {
  readonly ref: ObjectRef;
  readonly uid: string;
  /** Digest of the manifest as it was applied. */
  readonly digest: string;
  /** Digest of our own managedFields entry after the apply: another value means drift. */
  readonly fields: string;
  readonly keep: Manifest["keep"];
  /** A `_wait` that was fulfilled for this UID and digest is not asked again. */
  readonly waited?: boolean;
}

/** Entries in the order in which they were applied. */
export type Inventory = readonly InventoryEntry[];

/** What happened to one object in a round. */
export type Action = "created" | "configured" | "unchanged" | "deleted" | "skipped" | "failed";

/** One line of a ChangeSet; `reason` is a CamelCase word, `message` for people, both absent where all is well. */
export interface Change {
  readonly ref: ObjectRef;
  readonly action: Action;
  readonly template?: string;
  readonly reason?: string;
  readonly message?: string;
  /** Whom a repair was made against: the field managers that had changed the object. */
  readonly against?: readonly string[];
  readonly durationMs?: number;
}

/** What a round did, in the order in which it did it. */
export type ChangeSet = readonly Change[];
