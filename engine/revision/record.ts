/**
 * The record of an instance: one ConfigMap in the operator's namespace that holds its inventory, the values of its last success and its
 * history. Here it is data, and is encoded to an object. Nothing in it is secret: values of Secrets never get in.
 *
 * A record always fits into its ConfigMap, else nothing of the instance could be remembered any more: what does not fit is left out by a
 * fixed order, so that the same record gives the same bytes, and one that was read is written back as it was.
 */
import {
  apiVersionOf,
  digestOf,
  digestOfText,
  type Inventory,
  type KubeObject,
  type ObjectRef,
  type OwnNames,
  refKey,
  stringifyJson,
} from "../meta/mod.ts";
import {
  byteLength,
  type HistoryEntry,
  historyText,
  type SpecChange,
  specChanges,
  trimHistory,
} from "./history.ts";

/** Bytes that the values of a record may take together: a ConfigMap holds 1 MiB. */
const RECORD_BYTES = 900 * 1024;
/** A larger spec is known by its digest alone. */
const SPEC_BYTES = 256 * 1024;
const NO_ROOM = "There is no room here for the history as text: see history.json.\n";

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
  /** The spec of the current revision; undefined when it has none, or when it was too large to be kept: then `specDigest` tells. */
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

/**
 * What changed in the spec since the revision that the record holds. When that one's spec was too large to be kept, this is one change, of
 * `spec` as a whole, that says so.
 */
export function changesSince(record: InstanceRecord, spec: unknown): readonly SpecChange[] {
  if (digestOf(spec ?? null) === record.specDigest) return [];
  const isUnknown = record.spec === undefined && record.specDigest !== digestOf(null);
  if (!isUnknown) return specChanges(record.spec, spec);
  const old = `(too large to be kept, sha256:${record.specDigest})`;
  const [change = { path: "spec" }] = specChanges(undefined, spec);
  return [{ ...change, old, cut: true }];
}

/**
 * The record as a ConfigMap. The same record gives the same bytes.
 *
 * What does not fit goes in this order: the history as text, older entries of the history, the spec (its digest stays), the previous
 * values, the last entry of the history. The inventory never goes: without it, deletion would not know what to delete.
 */
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
    data: fittingData(record, limit),
  };
}

type Data = Readonly<Record<string, string>>;

function fittingData(record: InstanceRecord, limit: number): Data {
  const spec = byteLength(stringifyJson(record.spec)) > SPEC_BYTES ? undefined : record.spec;
  const whole = { ...record, spec, history: trimHistory(record.history, limit) };
  const excess = sizeOf(dataOf(whole)) - RECORD_BYTES;
  const room = byteLength(stringifyJson(whole.history)) - excess;
  const shorter = excess <= 0 ? whole : { ...whole, history: trimHistory(whole.history, limit, room) };
  const digestOnly = { ...shorter, spec: undefined };
  const forgetful = { ...digestOnly, previous: "{}" };
  const kept = [shorter, digestOnly, forgetful].find((some) => fits(dataOf(some))) ??
    { ...forgetful, history: [] };
  const data = dataOf(kept);
  const withText = { ...data, "history.txt": historyText(kept.history) };
  return fits(withText) ? withText : { ...data, "history.txt": NO_ROOM };
}

/** The values that are read again. */
function dataOf(record: InstanceRecord): Data {
  const { uid, revision, revisionTimestamp, specDigest, bundleDigest, outcomeDigest, spec } = record;
  return {
    "state.json": stringifyJson({
      uid,
      revision,
      revisionTimestamp,
      specDigest,
      bundleDigest,
      outcomeDigest,
      spec,
    }),
    "inventory.json": stringifyJson(record.inventory),
    "previous.json": record.previous,
    "history.json": stringifyJson(record.history),
  };
}

function fits(data: Data): boolean {
  return sizeOf(data) <= RECORD_BYTES;
}

function sizeOf(data: Data): number {
  return Object.values(data).reduce((sum, text) => sum + byteLength(text), 0);
}
