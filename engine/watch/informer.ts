/**
 * A cache of one selection of one resource: asked by reconciles, kept in step by a reflector, never behind our own writes (assumed.ts).
 *
 * Listeners hear of what the watch brings, and only of that: what somebody else did, or what became of our own writes. Whoever writes announces it with
 * `beginWrite`, so that reads made right after see it.
 */
import type { KubeClient, ReadObject, Selection } from "../kube/client.ts";
import type { Resource } from "../kube/discovery.ts";
import { ApiError, ForbiddenError } from "../kube/errors.ts";
import { groupKindOf, type KubeObject, stringifyJson } from "../meta/mod.ts";
import { type Clock, systemClock } from "../queue/mod.ts";
import { AssumingStore, type CacheWrite, type EntryChange } from "./assumed.ts";
import { type ObjectEvent, Reflector } from "./reflector.ts";
import { type Entry, type Indexes, storeKey } from "./store.ts";

/** A change as the watch told it. Without `old` it came, without `new` it went; a namesake with another UID is two changes. */
export interface ObjectChange {
  readonly old?: KubeObject;
  readonly new?: KubeObject;
}

/** What an informer works with. */
export interface InformerOptions {
  readonly client: Pick<KubeClient, "list" | "watch">;
  readonly resource: Resource;
  readonly selection: Selection;
  readonly indexes?: Indexes;
  /** Keep the JSON text of objects, for `read`. Default: unless the selection is `metadataOnly`. */
  readonly keepText?: boolean;
  readonly clock?: Clock;
  /** From 0 to below 1, for jitter. */
  readonly random?: () => number;
  /** Silence after which a connection counts as dead, in milliseconds. Default 150 s. */
  readonly stallMs?: number;
  /** A connection failed; the next try comes after `retryInMs`. */
  readonly onFailure?: (error: unknown, retryInMs: number) => void;
  /** The first connection that works after failures. */
  readonly onRecovery?: () => void;
  /** A listener threw: a bug. The others hear of the change all the same. */
  readonly onListenerError?: (error: unknown) => void;
}

/** How long to wait for the first list. */
export interface WhenSyncedOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** See above. */
export class Informer {
  readonly resource: Resource;
  readonly selection: Selection;
  readonly #clock: Clock;
  readonly #keepText: boolean;
  readonly #objects: AssumingStore;
  readonly #reflector: Reflector;
  readonly #onListenerError: (error: unknown) => void;
  readonly #listeners = new Set<(change: ObjectChange) => void>();
  readonly #syncWaiters = new Set<(refusal?: unknown) => void>();
  #isSynced = false;

  constructor(options: InformerOptions) {
    const { client, resource, selection, clock = systemClock } = options;
    this.resource = resource;
    this.selection = selection;
    this.#clock = clock;
    this.#keepText = options.keepText ?? selection.metadataOnly !== true;
    this.#objects = new AssumingStore(clock);
    this.#onListenerError = options.onListenerError ?? (() => {});
    this.addIndexes(options.indexes ?? {});
    this.#reflector = new Reflector({
      client,
      resource,
      selection,
      target: { beginList: () => this.#beginList(), apply: (event) => this.#apply(event) },
      clock,
      random: options.random ?? Math.random,
      ...(options.stallMs === undefined ? {} : { stallMs: options.stallMs }),
      onFailure: (error, retryInMs) => {
        options.onFailure?.(error, retryInMs);
        if (isRefusal(error)) { for (const settle of this.#syncWaiters) settle(error); }
      },
      onRecovery: options.onRecovery ?? (() => {}),
    });
  }

  /** Keeps the cache in step until the signal aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void> {
    return this.#reflector.run(signal);
  }

  /** True from the first whole list on. */
  get synced(): boolean {
    return this.#isSynced;
  }

  /** Why the watch does not work now; undefined while it does. */
  get lastError(): unknown {
    return this.#reflector.lastError;
  }

  /** Connections to the API server beyond the first. */
  get restarts(): number {
    return this.#reflector.restarts;
  }

  /**
   * Resolves with the first whole list. Rejects when the time is over, with the watch's last error as cause, with the signal's reason, and at
   * once when the watch is refused (forbidden, not a verb of the resource): waiting does not help then. Without options it waits for ever.
   */
  whenSynced({ signal, timeoutMs }: WhenSyncedOptions = {}): Promise<void> {
    if (this.#isSynced) return Promise.resolve();
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (isRefusal(this.lastError)) return Promise.reject(this.lastError);
    return new Promise((resolve, reject) => {
      const end = () => {
        cancelTimer?.();
        signal?.removeEventListener("abort", abort);
        this.#syncWaiters.delete(settle);
      };
      const settle = (refusal?: unknown) => (end(), refusal === undefined ? resolve() : reject(refusal));
      const abort = () => (end(), reject(signal?.reason));
      const fail = (limitMs: number) => (end(), reject(this.#notSynced(limitMs)));
      const cancelTimer = timeoutMs === undefined
        ? undefined
        : this.#clock.after(timeoutMs, () => fail(timeoutMs));
      signal?.addEventListener("abort", abort, { once: true });
      this.#syncWaiters.add(settle);
    });
  }

  /** The object as last written by us or told by the watch, whichever is newer. */
  get(namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#objects.get(storeKey(namespace, name))?.object;
  }

  /** As `get`, with the JSON text as it came. Throws on an informer that keeps no texts: a bug. */
  read(namespace: string | undefined, name: string): ReadObject | undefined {
    if (!this.#keepText) throw new Error(`The cache of ${this.#name} keeps no texts`);
    const entry = this.#objects.get(storeKey(namespace, name));
    return entry && { object: entry.object, text: entry.text ?? stringifyJson(entry.object) };
  }

  /** All objects. */
  list(): readonly KubeObject[] {
    return Array.from(this.#objects.all().entries(), ([, { object }]) => object);
  }

  /** The objects that an index finds under a value. Throws when there is no such index: a bug. */
  byIndex(index: string, value: string): readonly KubeObject[] {
    return this.#objects.all().byIndex(index, value);
  }

  /** Adds indexes over what is there and what comes; one of the same name that is there already stays. */
  addIndexes(indexes: Indexes): void {
    for (const [name, valuesOf] of Object.entries(indexes)) this.#objects.addIndex(name, valuesOf);
  }

  /** Calls back for each change from now on; the answer ends it. Objects that are there already are not announced again. */
  onChange(listener: (change: ObjectChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Announces a write, before its request is sent; exactly one of the answer's methods must follow. Until the watch has delivered
   * the written state, reads answer with it.
   *
   * @example
   * ```ts ignore
   * const pending = informer.beginWrite("shop", "settings");
   * try {
   *   pending.done(await client.apply(resource, object, options));
   * } catch (error) {
   *   pending.failed();
   *   throw error;
   * }
   * ```
   */
  beginWrite(namespace: string | undefined, name: string): CacheWrite {
    return this.#objects.beginWrite(storeKey(namespace, name));
  }

  get #name(): string {
    return groupKindOf(this.resource);
  }

  #beginList(): (items: ReadonlyMap<string, ReadObject>) => void {
    const beganAt = this.#objects.beginList();
    return (items) => {
      const entries = new Map(Array.from(items, ([key, read]) => [key, this.#entry(read)]));
      const changes = this.#objects.replace(beganAt, entries);
      this.#isSynced = true;
      for (const settle of this.#syncWaiters) settle();
      for (const change of changes) this.#tell(change);
    };
  }

  #apply({ type, object, text }: ObjectEvent): void {
    const { namespace, name } = object.metadata;
    const observation = { deleted: type === "DELETED", entry: this.#entry({ object, text }) };
    const change = this.#objects.observe(storeKey(namespace, name), observation);
    if (versionOf(change.old) !== versionOf(change.new)) this.#tell(change);
  }

  #entry({ object, text }: ReadObject): Entry {
    return this.#keepText ? { object, text } : { object };
  }

  #tell({ old, new: now }: EntryChange): void {
    if (old !== undefined && now !== undefined && old.object.metadata.uid !== now.object.metadata.uid) {
      this.#tell({ old, new: undefined });
      this.#tell({ old: undefined, new: now });
      return;
    }
    const change: ObjectChange = {
      ...(old === undefined ? {} : { old: old.object }),
      ...(now === undefined ? {} : { new: now.object }),
    };
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        this.#onListenerError(error);
      }
    }
  }

  #notSynced(timeoutMs: number): Error {
    const { lastError } = this;
    const reason = lastError instanceof Error
      ? lastError.message
      : "the API server has not answered the list";
    const seconds = Math.round(timeoutMs / 100) / 10;
    return new Error(`The cache of ${this.#name} is not in step after ${seconds} s: ${reason}`, {
      cause: lastError,
    });
  }
}

/** The API server will not let us, whatever we wait: until somebody changes a role. */
function isRefusal(error: unknown): boolean {
  return error instanceof ForbiddenError || error instanceof ApiError && error.code === 405;
}

function versionOf(entry: Entry | undefined): string | undefined {
  return entry?.object.metadata.resourceVersion;
}
