/**
 * The record of an instance: one ConfigMap in the operator's namespace that holds its inventory, the values of its last success and its
 * history. Here it is data: encoded to an object, decoded from one. Nothing in it is secret: values of Secrets never get in.
 */
import {
  apiVersionOf,
  digestOfText,
  type Inventory,
  isJsonObject,
  type KubeObject,
  type ObjectRef,
  type OwnNames,
  parseJson,
  refKey,
  stringifyJson,
} from "../meta/mod.ts";
import { type HistoryEntry, historyText, trimHistory } from "./history.ts";

/** Which instance a record belongs to, and where what made it came from. */
export interface RecordOwner {
  readonly ref: ObjectRef;
  readonly plural: string;
  /** Value of the implementation label. */
  readonly implementation: string;
  /** Name of the template source (`configmap:ns/name`, `folder:/path`): finds the CRD again when the source is gone. */
  readonly source: string;
}

/** What is remembered of an instance. */
export interface InstanceRecord {
  readonly uid: string;
  readonly revision: number;
  /** When the revision was made, RFC 3339. */
  readonly revisionTimestamp: string;
  readonly specDigest: string;
  readonly bundleDigest: string;
  readonly outcomeDigest: string;
  readonly inventory: Inventory;
  /** JSON text of what the values templates printed at the last success. */
  readonly previous: string;
  /** The spec of the current revision. */
  readonly spec: unknown;
  readonly history: readonly HistoryEntry[];
}

/** A record before anything was done. */
export function emptyRecord(uid: string): InstanceRecord {
  return {
    uid,
    revision: 0,
    revisionTimestamp: "",
    specDigest: "",
    bundleDigest: "",
    outcomeDigest: "",
    inventory: [],
    previous: "{}",
    spec: undefined,
    history: [],
  };
}

/** Annotation names of a record, under the engine's domain. */
export function recordAnnotations(
  names: OwnNames,
): Readonly<Record<"instance" | "source" | "crd" | "record", string>> {
  const domain = names.owner.slice(0, names.owner.lastIndexOf("/"));
  return {
    instance: `${domain}/instance`,
    source: `${domain}/source`,
    crd: `${domain}/crd`,
    record: `${domain}/record`,
  };
}

/** The default name: readable, and different for every instance of every kind. At most 253 characters. */
export function recordName(ref: ObjectRef): string {
  const readable = `${ref.kind}-${ref.namespace === undefined ? "" : `${ref.namespace}-`}${ref.name}`
    .toLowerCase().replace(/[^a-z0-9.-]/g, "-").slice(0, 240).replace(/[^a-z0-9]+$/, "");
  return `${readable}-${digestOfText(refKey(ref)).slice(0, 10)}`;
}

/** The record as a ConfigMap. The same record gives the same bytes. */
export function encodeRecord(
  record: InstanceRecord,
  { owner, name, namespace, names, limit }: {
    readonly owner: RecordOwner;
    readonly name: string;
    readonly namespace: string;
    readonly names: OwnNames;
    readonly limit: number;
  },
): KubeObject {
  const { uid, revision, revisionTimestamp, specDigest, bundleDigest, outcomeDigest } = record;
  const history = trimHistory(record.history, limit);
  const annotations = recordAnnotations(names);
  const { ref } = owner;
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name,
      namespace,
      labels: { [names.component]: "record", [names.implementation]: owner.implementation },
      annotations: {
        [annotations.instance]: refKey(ref),
        // A copy under another name (a backup) is told from the record by it.
        [annotations.record]: name,
        [annotations.source]: owner.source,
        [annotations.crd]: `${apiVersionOf(ref)}/${ref.kind}/${owner.plural}`,
      },
    },
    data: {
      "state.json": stringifyJson({
        uid,
        revision,
        revisionTimestamp,
        specDigest,
        bundleDigest,
        outcomeDigest,
        spec: record.spec,
      }),
      "inventory.json": stringifyJson(record.inventory),
      "previous.json": record.previous,
      "history.json": stringifyJson(history),
      "history.txt": historyText(history),
    },
  };
}

/**
 * The record in a ConfigMap. One that was edited into nonsense gives what can still be read, and `damaged` names the keys that could not:
 * the caller then rebuilds from labels instead of trusting half of it.
 */
export function decodeRecord(
  configMap: KubeObject,
): { readonly record: InstanceRecord; readonly damaged: readonly string[] } {
  const data = isJsonObject(configMap.data) ? configMap.data : {};
  const damaged: string[] = [];
  const read = (key: string): unknown => {
    try {
      return parseJson(String(data[key] ?? "null"));
    } catch {
      damaged.push(key);
      return undefined;
    }
  };
  const stored = read("state.json");
  const state = isJsonObject(stored) ? stored : {};
  const text = (value: unknown) => typeof value === "string" ? value : "";
  const inventory = read("inventory.json");
  const history = read("history.json");
  const previous = isJsonObject(read("previous.json")) ? String(data["previous.json"]) : "{}";
  return {
    record: {
      uid: text(state.uid),
      revision: typeof state.revision === "number" ? state.revision : 0,
      revisionTimestamp: text(state.revisionTimestamp),
      specDigest: text(state.specDigest),
      bundleDigest: text(state.bundleDigest),
      outcomeDigest: text(state.outcomeDigest),
      inventory: Array.isArray(inventory) ? inventory.filter(isInventoryEntry) : [],
      previous,
      spec: state.spec,
      history: Array.isArray(history) ? history.filter(isHistoryEntry) : [],
    },
    damaged,
  };
}

function isInventoryEntry(value: unknown): value is Inventory[number] {
  return isJsonObject(value) && isJsonObject(value.ref) && typeof value.ref.kind === "string" &&
    typeof value.ref.group === "string" && typeof value.ref.version === "string" &&
    typeof value.ref.name === "string" && typeof value.uid === "string" &&
    typeof value.digest === "string" && typeof value.fields === "string";
}

function isHistoryEntry(value: unknown): value is HistoryEntry {
  return isJsonObject(value) && typeof value.revision === "number" && typeof value.time === "string" &&
    Array.isArray(value.by) && Array.isArray(value.changes) && isJsonObject(value.counts);
}
