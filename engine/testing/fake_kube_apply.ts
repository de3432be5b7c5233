/**
 * Who owns which field after a write, by the rules of server-side apply: an apply owns what it says, takes back what it said before
 * and says no more, and meets a conflict where another manager holds another value; an update owns what it changed.
 */
import { canonicalJson, type JsonObject, type KubeObject, type ManagedFieldsEntry } from "../meta/mod.ts";
import { type ApplyOptions, ConflictError, type PatchOptions } from "../kube/mod.ts";
import {
  type Draft,
  draftOf,
  fieldsOf,
  getAt,
  ownableFields,
  type Path,
  pathKey,
  removeAt,
  setAt,
  toFieldsV1,
} from "./fake_kube_fields.ts";

/** The object after an apply. Throws ConflictError where another manager stands against it and `force` is false. */
export function mergeApplied(live: KubeObject, wanted: JsonObject, options: ApplyOptions): Draft {
  const { fieldManager, force = true, subresource } = options;
  const entries = live.metadata.managedFields ?? [];
  const isMine = (entry: ManagedFieldsEntry) =>
    entry.manager === fieldManager && entry.operation === "Apply" && entry.subresource === subresource;
  const mine = entries.filter(isMine).flatMap(fieldsOf);
  const others = entries.filter((entry) => !isMine(entry));
  const fields = ownableFields(wanted);
  const changed = fields.filter((path) => !sameAt(live, wanted, path));
  if (!force) refuseConflicts(changed, others);
  const draft = draftOf(live);
  const held = new Set(others.flatMap(fieldsOf).map(pathKey));
  const said = new Set(fields.map(pathKey));
  for (const path of mine) if (!said.has(pathKey(path)) && !held.has(pathKey(path))) removeAt(draft, path);
  for (const path of fields) setAt(draft, path, getAt(wanted, path));
  const own = {
    operation: "Apply",
    manager: fieldManager,
    ...(subresource === undefined ? {} : { subresource }),
  };
  setEntries(draft, [...without(others, changed), ...entryOf(own, live.apiVersion, fields)]);
  return draft;
}

/** The object after a create, replace or patch: what changed is the manager's, and nobody else's any more. */
export function ownUpdated(live: KubeObject | undefined, draft: Draft, options: PatchOptions): Draft {
  const { fieldManager } = options;
  const now: JsonObject = JSON.parse(JSON.stringify(draft));
  const before = live === undefined ? [] : ownableFields(JSON.parse(JSON.stringify(live)));
  const changed = ownableFields(now).filter((path) => live === undefined || !sameAt(live, now, path));
  const removed = before.filter((path) => getAt(now, path) === undefined);
  const entries = live?.metadata.managedFields ?? [];
  const isMine = (entry: ManagedFieldsEntry) =>
    entry.manager === fieldManager && entry.operation === "Update";
  const mine = without(entries.filter(isMine), removed).flatMap(fieldsOf);
  const known = new Set(mine.map(pathKey));
  const fields = [...mine, ...changed.filter((path) => !known.has(pathKey(path)))];
  const others = without(entries.filter((entry) => !isMine(entry)), [...changed, ...removed]);
  const own = { operation: "Update", manager: fieldManager };
  setEntries(draft, [...others, ...entryOf(own, String(draft.apiVersion), fields)]);
  return draft;
}

function sameAt(live: unknown, wanted: unknown, path: Path): boolean {
  return canonicalJson(getAt(live, path)) === canonicalJson(getAt(wanted, path));
}

function refuseConflicts(changed: readonly Path[], others: readonly ManagedFieldsEntry[]): void {
  const keys = new Set(changed.map(pathKey));
  const causes = others.flatMap((entry) =>
    fieldsOf(entry).filter((path) => keys.has(pathKey(path))).map((path) => ({
      field: `.${path.join(".")}`,
      reason: "FieldManagerConflict",
      message: `conflict with "${entry.manager}"`,
    }))
  );
  if (causes.length === 0) return;
  const words = causes.map(({ field, message }) => `${message}: ${field}`).join(", ");
  throw new ConflictError(`Apply was refused: ${words}`, { code: 409, reason: "Conflict", causes });
}

function without(
  entries: readonly ManagedFieldsEntry[],
  paths: readonly Path[],
): readonly ManagedFieldsEntry[] {
  const taken = new Set(paths.map(pathKey));
  return entries.flatMap((entry) => {
    const fields = fieldsOf(entry);
    const left = fields.filter((path) => !taken.has(pathKey(path)));
    if (left.length === fields.length) return [entry];
    return left.length === 0 ? [] : [{ ...entry, fieldsV1: toFieldsV1(left) }];
  });
}

function entryOf(
  own: Pick<ManagedFieldsEntry, "manager" | "operation" | "subresource">,
  apiVersion: string,
  fields: readonly Path[],
): readonly ManagedFieldsEntry[] {
  return fields.length === 0 ? [] : [{ ...own, apiVersion, fieldsV1: toFieldsV1(fields) }];
}

function setEntries(draft: Draft, entries: readonly ManagedFieldsEntry[]): void {
  const inOrder = [...entries].sort((a, b) => nameOf(a) < nameOf(b) ? -1 : 1);
  setAt(draft, ["metadata", "managedFields"], inOrder);
}

function nameOf({ manager, operation, subresource }: ManagedFieldsEntry): string {
  return `${manager} ${operation} ${subresource ?? ""}`;
}
