/**
 * History: what is remembered of each revision, for programs (`history.json`) and for people (`history.txt`). Pure.
 *
 * A revision is made when the spec or the template bundle changes the outcome. Bounded by count and by bytes, oldest out first, and each
 * value in an entry by itself, since a ConfigMap holds 1 MiB and the inventory needs its share.
 */
import { digestOfText, isJsonObject, stringifyJson } from "../meta/mod.ts";

/** A value of the spec that differs between two revisions; absent means that the path was not there. */
export interface SpecChange {
  readonly path: string;
  readonly old?: unknown;
  readonly new?: unknown;
  /** `old`, `new` or `path` is not the whole one: a text with its beginning, size and digest stands for it. Nothing to write back. */
  readonly cut?: true;
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
/** Bytes of a value, or of a path, that an entry holds whole; of a longer one, those that are shown. */
const VALUE_BYTES = 1024;
const SHOWN_BYTES = 900;
const ENCODER = new TextEncoder();

/** The newest `limit` entries that fit into `bytes` as JSON; the newest one always stays. */
export function trimHistory(
  history: readonly HistoryEntry[],
  limit: number,
  bytes = HISTORY_BYTES,
): readonly HistoryEntry[] {
  let used = 1; // Brackets; each entry brings a comma, but the first.
  const kept: HistoryEntry[] = [];
  for (const entry of history.toReversed()) {
    used += byteLength(stringifyJson(entry)) + 1;
    if (kept.length > 0 && (kept.length >= limit || used > bytes)) break;
    kept.push(entry);
  }
  return kept.reverse();
}

/** Bytes of a text in UTF-8: what the API server counts. */
export function byteLength(text: string): number {
  return ENCODER.encode(text).length;
}

/**
 * How two specs differ, by path; lists are compared by index. At most `limit` changes: the rest is counted in a last entry. Values beyond
 * 1 KiB are cut, see `SpecChange.cut`.
 */
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
    changes.push(changeOf(path, before, after));
  }
}

/** One change, with what is too long cut. */
function changeOf(path: string, before: unknown, after: unknown): SpecChange {
  const [at, old, now] = [shortened(path), shortened(before), shortened(after)];
  return {
    path: String(at),
    ...(old === undefined ? {} : { old }),
    ...(now === undefined ? {} : { new: now }),
    ...(at === path && old === before && now === after ? {} : { cut: true }),
  };
}

/** The value itself, or `BEGINNING... (SIZE bytes, sha256:DIGEST)` of the text, or of the value's JSON. */
function shortened(value: unknown): unknown {
  if (value === undefined || byteLength(stringifyJson(value)) <= VALUE_BYTES) return value;
  const text = typeof value === "string" ? value : stringifyJson(value);
  const { read } = ENCODER.encodeInto(text, new Uint8Array(SHOWN_BYTES));
  return `${text.slice(0, read)}... (${byteLength(text)} bytes, sha256:${digestOfText(text)})`;
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
