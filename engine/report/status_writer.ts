/**
 * Writes the status of an instance, only when it would change.
 *
 * Server-side apply on the status subresource: what an earlier status held and this one does not is taken away by the API server, and
 * conditions of others stay. A CRD without the subresource gets no status, and one whose schema knows no conditions shows none: what is news then, this
 * process alone remembers.
 */
import { type ApiError, InvalidError, type KubeClient, type Resource } from "../kube/mod.ts";
import {
  canonicalJson,
  type Condition,
  digestOf,
  isJsonObject,
  type JsonObject,
  type KubeObject,
  mergeConditions,
  typeMetaOf,
  type WantedCondition,
} from "../meta/mod.ts";
import { hasConditionMap, keepsConditions, keptBySchema } from "./status_schema.ts";

/** A status to be. The engine's own keys win over what the status template printed. */
export interface WantedStatus {
  readonly conditions: readonly WantedCondition[];
  readonly fields: JsonObject;
  /** What the status template printed; undefined leaves what it printed before. */
  readonly printed: JsonObject | undefined;
}

/** How a write ended. */
export interface StatusResult {
  /** The instance has another status now, or would have if its CRD let it. */
  readonly changed: boolean;
  /** The API server refused the printed part: only the engine's own part was written. */
  readonly refused?: ApiError;
}

/** What the writer needs. */
export interface StatusWriterOptions {
  readonly client: KubeClient;
  readonly fieldManager: string;
  /** Schema of `.status`, if known: see status_schema.ts. */
  readonly schema: () => JsonObject | undefined;
  readonly now: () => Date;
}

/** Remembers what was sent and not seen back yet, so that a lagging cache does not cause a second write. */
interface Sent {
  readonly digest: string;
  readonly basedOn: string | undefined;
}

/** Statuses of the instances of one kind. */
export class StatusWriter {
  readonly #options: StatusWriterOptions;
  readonly #sent = new Map<string, Sent>();
  /** Digest of what a status that shows no conditions would say, by UID. */
  readonly #told = new Map<string, string>();

  constructor(options: StatusWriterOptions) {
    this.#options = options;
  }

  /** Writes unless the instance has this status already. Throws ApiError. */
  async write(instance: KubeObject, resource: Resource, wanted: WantedStatus): Promise<StatusResult> {
    if (!resource.subresources.includes("status")) return { changed: this.#isNews(instance, wanted) };
    const result = await this.#applyOrOwnPart(instance, resource, wanted);
    if (keepsConditions(this.#options.schema())) return result;
    return { ...result, changed: this.#isNews(instance, wanted) };
  }

  /** Forgets an instance that is gone. */
  forget(uid: string): void {
    this.#sent.delete(uid);
    this.#told.delete(uid);
  }

  #isNews(instance: KubeObject, wanted: WantedStatus): boolean {
    const { uid = "" } = instance.metadata;
    const digest = digestOf(wanted);
    const isNews = this.#told.get(uid) !== digest;
    this.#told.set(uid, digest);
    return isNews;
  }

  async #applyOrOwnPart(
    instance: KubeObject,
    resource: Resource,
    wanted: WantedStatus,
  ): Promise<StatusResult> {
    try {
      return { changed: await this.#apply(instance, resource, wanted) };
    } catch (error) {
      if (!(error instanceof InvalidError) || wanted.printed === undefined) throw error;
      return { changed: await this.#apply(instance, resource, { ...wanted, printed: {} }), refused: error };
    }
  }

  async #apply(instance: KubeObject, resource: Resource, wanted: WantedStatus): Promise<boolean> {
    const { client, fieldManager, now, schema } = this.#options;
    const { name, namespace, uid = "", resourceVersion } = instance.metadata;
    const present = isJsonObject(instance.status) ? instance.status : {};
    const owned = ownedKeys(instance, fieldManager);
    const printed = wanted.printed ?? pick(present, owned);
    const status = statusOf(present, { ...wanted, printed }, schema(), now());
    if (isSameStatus(present, status, owned)) {
      this.#sent.delete(uid);
      return false;
    }
    // Without transition times: to a cache that lags, each write is the first.
    const digest = digestOf({ ...status, conditions: wanted.conditions });
    const sent = this.#sent.get(uid);
    if (sent !== undefined && sent.digest === digest && sent.basedOn === resourceVersion) return false;
    const object: KubeObject = {
      ...typeMetaOf(resource),
      metadata: { name, uid, ...(namespace === undefined ? {} : { namespace }) },
      status,
    };
    await client.apply(resource, object, { fieldManager, subresource: "status" });
    this.#sent.set(uid, { digest, basedOn: resourceVersion });
    return true;
  }
}

function statusOf(
  present: JsonObject,
  wanted: WantedStatus,
  schema: JsonObject | undefined,
  now: Date,
): JsonObject {
  const stored = Array.isArray(present.conditions) ? present.conditions.filter(isCondition) : [];
  const ours = new Set(wanted.conditions.map((condition) => condition.type));
  const merged = mergeConditions(stored, wanted.conditions, now);
  const conditions = hasConditionMap(schema)
    ? merged.filter((condition) => ours.has(condition.type))
    : merged;
  const status = { ...wanted.printed, ...wanted.fields, conditions };
  const kept = keptBySchema(status, schema);
  return isJsonObject(kept) ? kept : {};
}

function isCondition(value: unknown): value is Condition {
  return isJsonObject(value) && typeof value.type === "string" && typeof value.status === "string";
}

/** The keys of the status that our last apply holds. */
function ownedKeys(instance: KubeObject, fieldManager: string): readonly string[] {
  const entry = instance.metadata.managedFields?.find((one) =>
    one.manager === fieldManager && one.subresource === "status"
  );
  const owned = isJsonObject(entry?.fieldsV1) ? entry.fieldsV1["f:status"] : undefined;
  const fields = isJsonObject(owned) ? Object.keys(owned) : [];
  return fields.filter((field) => field.startsWith("f:")).map((field) => field.slice(2));
}

function pick(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.filter((key) => key in object).map((key) => [key, object[key]]));
}

/** Same: each key as stored, and our last apply holds no key that is not wanted any more. */
function isSameStatus(present: JsonObject, status: JsonObject, owned: readonly string[]): boolean {
  const asStored = Object.entries(status).every(([key, value]) =>
    key === "conditions"
      ? holdsConditions(present[key], value)
      : canonicalJson(present[key]) === canonicalJson(value)
  );
  return asStored && owned.every((key) => status[key] !== undefined);
}

function holdsConditions(present: unknown, wanted: unknown): boolean {
  if (!Array.isArray(wanted)) return present === wanted;
  const stored = Array.isArray(present) ? present : [];
  return wanted.every((one) => stored.some((other) => canonicalJson(one) === canonicalJson(other)));
}
