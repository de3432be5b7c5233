/**
 * Reads a record out of its ConfigMap. In flows what anybody may have edited, out flows a record of which every element has its shape, and
 * the names of the keys that had not: what is read later need not doubt anything.
 */
import { type Inventory, isJsonObject, type JsonObject, type KubeObject, parseJson } from "../meta/mod.ts";
import type { HistoryEntry, SpecChange } from "./history.ts";
import type { InstanceRecord } from "./record.ts";

/**
 * The record in a ConfigMap. One that was edited into nonsense gives what can still be read, and `damaged` names the keys of which
 * something could not: the caller then rebuilds from labels instead of trusting half of it.
 */
export function decodeRecord(
  configMap: KubeObject,
): { readonly record: InstanceRecord; readonly damaged: readonly string[] } {
  const data = isJsonObject(configMap.data) ? configMap.data : {};
  const damaged = new Set<string>();
  const read = (key: string): unknown => {
    try {
      return parseJson(String(data[key]));
    } catch {
      return undefined; // No JSON is no shape that is asked for.
    }
  };
  const readObject = (key: string): JsonObject => {
    const value = read(key);
    if (isJsonObject(value)) return value;
    damaged.add(key);
    return {};
  };
  const readList = <T>(key: string, isElement: (value: unknown) => value is T): readonly T[] => {
    const value = read(key);
    const all: readonly unknown[] = Array.isArray(value) ? value : [];
    const sound = all.filter(isElement);
    if (!Array.isArray(value) || sound.length < all.length) damaged.add(key);
    return sound;
  };
  const state = readObject("state.json");
  const text = (value: unknown): string => {
    if (typeof value === "string") return value;
    damaged.add("state.json");
    return "";
  };
  if (!isCount(state.revision)) damaged.add("state.json");
  const record: InstanceRecord = {
    uid: text(state.uid),
    revision: isCount(state.revision) ? state.revision : 0,
    revisionTimestamp: text(state.revisionTimestamp),
    specDigest: text(state.specDigest),
    bundleDigest: text(state.bundleDigest),
    outcomeDigest: text(state.outcomeDigest),
    spec: state.spec,
    inventory: readList("inventory.json", isInventoryEntry),
    history: readList("history.json", isHistoryEntry),
    previous: "{}",
  };
  readObject("previous.json");
  const previous = damaged.has("previous.json") ? "{}" : String(data["previous.json"]);
  return { record: { ...record, previous }, damaged: [...damaged] };
}

const KEEPS: readonly unknown[] = [false, "always", "until-deleted"] satisfies Inventory[number]["keep"][];
const CAUSES: readonly unknown[] = [
  "created",
  "spec",
  "templates",
  "deleted",
] satisfies HistoryEntry["cause"][];

function isInventoryEntry(value: unknown): value is Inventory[number] {
  return isJsonObject(value) && isRef(value.ref) && hasTexts(value, ["uid", "digest", "fields"]) &&
    KEEPS.includes(value.keep) && (value.waited === undefined || typeof value.waited === "boolean");
}

function isRef(value: unknown): boolean {
  return isJsonObject(value) && hasTexts(value, ["group", "version", "kind", "name"]) &&
    (value.namespace === undefined || typeof value.namespace === "string");
}

function isHistoryEntry(value: unknown): value is HistoryEntry {
  return isJsonObject(value) && isCount(value.revision) && isCount(value.generation) &&
    hasTexts(value, ["time", "bundle", "outcome", "result"]) && CAUSES.includes(value.cause) &&
    Array.isArray(value.by) && value.by.every((manager) => typeof manager === "string") &&
    Array.isArray(value.changes) && value.changes.every(isSpecChange) &&
    isJsonObject(value.counts) && Object.values(value.counts).every(isCount);
}

function isSpecChange(value: unknown): value is SpecChange {
  return isJsonObject(value) && typeof value.path === "string" &&
    (value.cut === undefined || value.cut === true);
}

function hasTexts(value: JsonObject, keys: readonly string[]): boolean {
  return keys.every((key) => typeof value[key] === "string");
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
