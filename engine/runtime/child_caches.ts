/**
 * The children of an implementation, as metadata: one informer per kind, selected by our label, started when the kind is first needed.
 */
import { ForbiddenError, NotServedError, type Resource, type RestMapper } from "../kube/mod.ts";
import {
  groupKindOf,
  type GroupVersionKind,
  type KubeObject,
  type ObjectRef,
  type OwnNames,
} from "../meta/mod.ts";
import { type ChildCaches, type EnsureKindsOptions, NotInStepError, type World } from "../reconcile/world.ts";
import type { Informer, InformerSet } from "../watch/mod.ts";

/** Name of the index by owner UID. */
const BY_OWNER = "owner";
/** How long a round waits for a cache that is being filled, in milliseconds: workers are few, so then it is asked again. */
const SYNC_MS = 1_000;

/** What the caches need. */
export interface WatchedChildrenOptions {
  readonly informers: InformerSet;
  readonly mapper: RestMapper;
  readonly names: OwnNames;
  readonly implementation: string;
  /** Ends the wait for a cache: without its watches it would never come in step. */
  readonly signal: AbortSignal;
  /** Called with the owner's UID for each change of a child. */
  readonly onChange: (ownerUid: string) => void;
}

/** `ChildCaches` over informers. */
export class WatchedChildren implements ChildCaches {
  readonly #options: WatchedChildrenOptions;
  readonly #informers = new Map<string, Informer>();

  constructor(options: WatchedChildrenOptions) {
    this.#options = options;
  }

  /** See the port. Rejects when a kind cannot be watched (the cause is the watch's own error, say: forbidden), and with the signal's reason. */
  async ensure(types: readonly GroupVersionKind[], options: EnsureKindsOptions = {}): Promise<void> {
    const missing = new Map<string, GroupVersionKind>();
    for (const type of types) {
      const known = this.#informers.get(groupKindOf(type));
      if (known?.synced !== true || isStranded(known)) missing.set(groupKindOf(type), type);
    }
    await Promise.all([...missing.values()].map((type) => this.#ensureOne(type, options)));
  }

  get(ref: ObjectRef): KubeObject | undefined {
    return this.#informers.get(groupKindOf(ref))?.get(ref.namespace, ref.name);
  }

  ownedBy(uid: string): readonly KubeObject[] {
    return [...this.#informers.values()].flatMap((informer) => informer.byIndex(BY_OWNER, uid));
  }

  beginWrite(ref: ObjectRef): ReturnType<World["children"]["beginWrite"]> {
    const informer = this.#informers.get(groupKindOf(ref));
    return informer === undefined ? UNWATCHED : informer.beginWrite(ref.namespace, ref.name);
  }

  async #ensureOne(type: GroupVersionKind, { optional = false }: EnsureKindsOptions): Promise<void> {
    const { mapper } = this.#options;
    const known = this.#informers.get(groupKindOf(type));
    if (known !== undefined && isStranded(known)) mapper.invalidate();
    const resource = await mapper.servedAs(type);
    if (resource === undefined) {
      this.#informers.delete(groupKindOf(type));
      return;
    }
    if (optional && !resource.verbs.includes("watch")) return;
    const informer = this.#informerOver(resource) ?? this.#start(type, resource);
    try {
      await informer.whenSynced({ timeoutMs: SYNC_MS, signal: this.#options.signal });
    } catch (error) {
      if (optional && error instanceof ForbiddenError) return;
      if (this.#options.signal.aborted || informer.lastError !== undefined) throw error;
      throw new NotInStepError(`The cache of ${groupKindOf(type)} is still being filled`, { cause: error });
    }
  }

  #informerOver(resource: Resource): Informer | undefined {
    const known = this.#informers.get(groupKindOf(resource));
    return known !== undefined && isStranded(known) && known.resource.version !== resource.version
      ? undefined
      : known;
  }

  #start(type: GroupVersionKind, resource: Resource): Informer {
    const { informers, names, implementation, onChange } = this.#options;
    const ownerOf = (object: KubeObject | undefined) => object?.metadata.labels?.[names.owner];
    const informer = informers.ensure(resource, {
      labelSelector: `${names.implementation}=${implementation}`,
      metadataOnly: true,
    }, { indexes: { [BY_OWNER]: (object) => [ownerOf(object) ?? ""] } });
    informer.onChange(({ old, new: now }) => {
      for (const uid of new Set([ownerOf(old), ownerOf(now)])) if (uid !== undefined) onChange(uid);
    });
    this.#informers.set(groupKindOf(type), informer);
    return informer;
  }
}

/** The version that it watches is served no more: what it holds is old, and another version may have the objects. */
function isStranded({ lastError }: Informer): boolean {
  return lastError instanceof NotServedError;
}

/** A kind that no cache holds: there is nothing that could lag. */
const UNWATCHED = { done: () => {}, gone: () => {}, failed: () => {} };
