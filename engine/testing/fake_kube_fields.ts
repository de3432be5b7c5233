/**
 * Field ownership for the fake API server: sets of fields by manager, as `metadata.managedFields` keeps them, coarser than the real
 * thing in one way: a list is one field.
 */
import { isJsonObject, type JsonObject, type ManagedFieldsEntry } from "../meta/mod.ts";

/** A field: the keys that lead to it. */
export type Path = readonly string[];

/** Metadata that the server keeps itself: owned by nobody. */
const SYSTEM_METADATA = new Set([
  "name",
  "namespace",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "managedFields",
]);

/** All fields of an object that a manager can own. */
export function ownableFields(object: JsonObject): readonly Path[] {
  return leaves(object, []).filter(([first, second = ""]) =>
    first !== "apiVersion" && first !== "kind" && !(first === "metadata" && SYSTEM_METADATA.has(second))
  );
}

function leaves(value: unknown, path: Path): readonly Path[] {
  if (!isJsonObject(value) || (Object.keys(value).length === 0 && path.length > 0)) return [path];
  return Object.entries(value).flatMap(([key, inner]) =>
    inner === undefined ? [] : leaves(inner, [...path, key])
  );
}

/** As a key for sets. */
export function pathKey(path: Path): string {
  return path.join("\u0000");
}

/** `fieldsV1` of a set of fields. */
export function toFieldsV1(paths: readonly Path[]): JsonObject {
  const root: Draft = {};
  for (const path of paths) setAt(root, path.map((key) => `f:${key}`), {}, { keep: true });
  return JSON.parse(JSON.stringify(root));
}

/** The set of fields of an entry. */
export function fieldsOf(entry: ManagedFieldsEntry): readonly Path[] {
  const fields = entry.fieldsV1 ?? {};
  return Object.keys(fields).length === 0
    ? []
    : leaves(fields, []).map((path) => path.map((key) => key.slice(2)));
}

/** Data that is being built. */
export type Draft = Record<string, unknown>;

/** A copy that may be changed. */
export function draftOf(value: unknown): Draft {
  const copy: unknown = structuredClone(value);
  return isDraft(copy) ? copy : {};
}

function isDraft(value: unknown): value is Draft {
  return isJsonObject(value);
}

/** The value of a field; undefined when it is not there. */
export function getAt(value: unknown, [first, ...rest]: Path): unknown {
  if (first === undefined) return value;
  return isJsonObject(value) && Object.hasOwn(value, first) ? getAt(value[first], rest) : undefined;
}

/** Sets a field, with the mappings that lead to it. `keep`: a mapping that is there already stays. */
export function setAt(draft: Draft, [first, ...rest]: Path, value: unknown, { keep = false } = {}): void {
  if (first === undefined) return;
  const inner = draft[first];
  if (rest.length === 0) {
    if (!keep || inner === undefined) draft[first] = value;
    return;
  }
  const next = isDraft(inner) ? inner : {};
  draft[first] = next;
  setAt(next, rest, value, { keep });
}

/** Removes a field, and mappings that are empty without it. */
export function removeAt(draft: Draft, [first, ...rest]: Path): void {
  if (first === undefined) return;
  const inner = draft[first];
  if (rest.length > 0 && isDraft(inner)) removeAt(inner, rest);
  if (rest.length === 0 || (isDraft(inner) && Object.keys(inner).length === 0)) delete draft[first];
}

/** RFC 7386. */
export function mergePatch(draft: Draft, patch: JsonObject): void {
  for (const [key, value] of Object.entries(patch)) {
    const inner = draft[key];
    if (value === null) delete draft[key];
    else if (isJsonObject(value)) {
      const next = isDraft(inner) ? inner : {};
      mergePatch(next, value);
      draft[key] = next;
    } else draft[key] = structuredClone(value);
  }
}
