/**
 * Reads and writes records: out of a cache, into the cluster.
 *
 * A write is a create, or a replace of the very version that was read (resourceVersion as precondition): of two processes that believe
 * to lead, one is refused. A ConfigMap of the wanted name that is not ours is never overwritten: the record then takes its default name, or that with a number.
 */
import { AlreadyExistsError, CONFIG_MAPS, type KubeClient } from "../kube/mod.ts";
import { canonicalJson, isJsonObject, type KubeObject, type OwnNames, refKey } from "../meta/mod.ts";
import { decodeRecord } from "./decoding.ts";
import { encodeRecord, type InstanceRecord, recordName, type RecordOwner } from "./record.ts";

/** The cache of record ConfigMaps. */
export interface RecordCache {
  /** The ConfigMap whose annotation names this instance (its `refKey`). */
  find(instanceKey: string): KubeObject | undefined;
  beginWrite(name: string): { done(object: KubeObject): void; gone(): void; failed(): void };
}

/** What the store needs. */
export interface RecordStoreOptions {
  readonly client: KubeClient;
  readonly cache: RecordCache;
  readonly names: OwnNames;
  /** The operator's namespace. */
  readonly namespace: string;
  readonly fieldManager: string;
}

/** Records of the instances of one implementation. */
export class RecordStore {
  readonly #options: RecordStoreOptions;

  constructor(options: RecordStoreOptions) {
    this.#options = options;
  }

  /** The record of an instance, if there is one. No request. */
  load(owner: RecordOwner): ReturnType<typeof decodeRecord> | undefined {
    const stored = this.#options.cache.find(refKey(owner.ref));
    return stored === undefined ? undefined : decodeRecord(stored);
  }

  /** Writes a record unless it is stored like that already. Returns whether a request was sent. Throws ApiError. */
  async save(
    owner: RecordOwner,
    record: InstanceRecord,
    { name, limit }: { readonly name: string | undefined; readonly limit: number },
  ): Promise<boolean> {
    const { cache, names, namespace } = this.#options;
    const stored = cache.find(refKey(owner.ref));
    const encode = (as: string) => encodeRecord(record, { owner, name: as, namespace, names, limit });
    if (stored !== undefined) {
      const object = encode(stored.metadata.name);
      if (sameContent(stored, object)) return false;
      await this.#replace(stored, object);
      return true;
    }
    await this.#createFree(owner, name, encode);
    return true;
  }

  /** Under the wanted name, or the first of the default names that nobody holds. */
  async #createFree(
    owner: RecordOwner,
    name: string | undefined,
    encode: (name: string) => KubeObject,
  ): Promise<void> {
    const usual = recordName(owner.ref);
    const names = [...(name === undefined ? [] : [name]), usual, ...[2, 3, 4].map((n) => `${usual}-${n}`)];
    for (const [index, candidate] of names.entries()) {
      try {
        return await this.#create(encode(candidate));
      } catch (error) {
        if (!(error instanceof AlreadyExistsError) || index === names.length - 1) throw error;
      }
    }
  }

  async #create(object: KubeObject): Promise<void> {
    const { client, cache, fieldManager } = this.#options;
    const pending = cache.beginWrite(object.metadata.name);
    try {
      pending.done((await client.create(CONFIG_MAPS, object, { fieldManager })).object);
    } catch (error) {
      pending.failed();
      throw error;
    }
  }

  async #replace(stored: KubeObject, object: KubeObject): Promise<void> {
    const { client, cache, fieldManager } = this.#options;
    const { resourceVersion, uid } = stored.metadata;
    const metadata = {
      ...object.metadata,
      labels: { ...stored.metadata.labels, ...object.metadata.labels },
      annotations: { ...stored.metadata.annotations, ...object.metadata.annotations },
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(uid === undefined ? {} : { uid }),
    };
    const pending = cache.beginWrite(object.metadata.name);
    try {
      pending.done((await client.replace(CONFIG_MAPS, { ...object, metadata }, { fieldManager })).object);
    } catch (error) {
      pending.failed();
      throw error;
    }
  }
}

function sameContent(stored: KubeObject, object: KubeObject): boolean {
  if (canonicalJson(stored.data) !== canonicalJson(object.data)) return false;
  const has = (all: unknown, wanted: unknown) =>
    Object.entries(isJsonObject(wanted) ? wanted : {}).every(([key, value]) =>
      isJsonObject(all) && all[key] === value
    );
  return has(stored.metadata.labels, object.metadata.labels) &&
    has(stored.metadata.annotations, object.metadata.annotations);
}
