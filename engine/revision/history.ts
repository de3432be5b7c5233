/**
 * History: what is remembered of each revision, for programs (`history.json`) and for people (`history.txt`). Pure.
 *
 * A revision is made when the spec or the template bundle changes the outcome. Bounded by count and by bytes, oldest out first, since a
 * ConfigMap holds 1 MiB and the inventory needs its share.
 */
import { isJsonObject, stringifyJson } from "../meta/mod.ts";

/** A value of the spec that differs between two revisions; absent means that the path was not there. */
export interface SpecChange {
  readonly path: string;
  readonly old?: unknown;
  readonly new?: unknown;
}

/** One entry. Times are RFC 3339, digests hexadecimal. */
export interface HistoryEntry {
  readonly revision: number;
  readonly time: string;
  readonly generation: number;
  /** Why there is a revision. */
  readonly cause: "created" | "spec" | "templates" | "deleted";
  /** Field managers that wrote the spec last, as the API server keeps them. */
  readonly by: readonly string[];
  readonly changes: readonly SpecChange[];
  readonly bundle: string;
  readonly outcome: string;
  /** What the first complete round of the revision did: action → number of objects. */
  readonly counts: Readonly<Record<string, number>>;
  readonly result: string;
}

/** Bytes that the history may take of the record. */
const HISTORY_BYTES = 256 * 1024;

/** The newest `limit` entries that fit; the newest one always stays. */
export function trimHistory(history: readonly HistoryEntry[], limit: number): readonly HistoryEntry[] {
  let bytes = 0;
  const kept: HistoryEntry[] = [];
  for (const entry of history.toReversed()) {
    bytes += stringifyJson(entry).length;
    if (kept.length > 0 && (kept.length >= limit || bytes > HISTORY_BYTES)) break;
    kept.push(entry);
  }
  return kept.reverse();
}

/** How two specs differ, by path; lists are compared by index. At most `limit` changes: the rest is counted in a last entry. */
export function specChanges(before: unknown, after: unknown, limit = 50): readonly SpecChange[] {
  const changes: SpecChange[] = [];
  collect("spec", before, after, changes);
  if (changes.length <= limit) return changes;
  return [...changes.slice(0, limit), { path: `(and ${changes.length - limit} more)` }];
}

function collect(path: string, before: unknown, after: unknown, changes: SpecChange[]): void {
  if (before === after) return;
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    for (const key of keys) collect(`${path}${segment(key)}`, before[key], after[key], changes);
  } else if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    for (let i = 0; i < length; i++) collect(`${path}[${i}]`, before[i], after[i], changes);
  } else {
    changes.push({
      path,
      ...(before === undefined ? {} : { old: before }),
      ...(after === undefined ? {} : { new: after }),
    });
  }
}

function segment(key: string): string {
  return /^[A-Za-z_][\w-]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/** The history as text: newest first, one paragraph a revision. */
export function historyText(history: readonly HistoryEntry[]): string {
  return history.toReversed().map(entryText).join("\n");
}

function entryText(entry: HistoryEntry): string {
  const counts = Object.entries(entry.counts).map(([action, n]) => `${n} ${action}`).join(", ");
  const by = entry.by.length === 0 ? "" : ` by ${entry.by.join(", ")}`;
  const head =
    `revision ${entry.revision}  ${entry.time}  ${entry.cause}${by}  generation ${entry.generation}`;
  const lines = entry.changes.map((change) =>
    "old" in change || "new" in change
      ? `  ${change.path}: ${shown(change.old)} -> ${shown(change.new)}`
      : `  ${change.path}`
  );
  return [head, ...lines, `  ${entry.result}${counts === "" ? "" : `: ${counts}`}`, ""].join("\n");
}

function shown(value: unknown): string {
  return value === undefined ? "(none)" : stringifyJson(value);
}
