/**
 * Watches the instances, what they own and their records, and says at once when something changed: measured times are those of watch events, not of a
 * poll. It is no part of the operator and believes nothing that the operator says: it looks with watches of its own.
 */
import {
  ApiError,
  CONFIG_MAPS,
  decodeRecord,
  groupKindOf,
  type GroupVersionKind,
  type Informer,
  InformerSet,
  isJsonObject,
  type KubeObject,
  lineLogger,
  NoMatchError,
  type ObjectChange,
  type OwnNames,
  parseApiVersion,
  PrometheusMetrics,
  recordAnnotations,
  refKey,
  refOf,
  type Resource,
} from "../../engine/mod.ts";
import type { Cluster } from "./cluster.ts";
import type { TreeNode } from "./tree.ts";

/** What to watch. */
export interface ObserverOptions {
  readonly cluster: Cluster;
  /** The endpoint of the instances. */
  readonly resource: Resource;
  readonly names: OwnNames;
  /** Where the operator keeps its records. */
  readonly namespace: string;
}

/** How long to wait, and what is said when it was in vain. */
export interface UntilOptions {
  readonly what: () => string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

type Listener = (change: ObjectChange) => void;

const SYNC_MS = 10_000;

/** See above. Nothing is watched before `start`. */
export class Observer {
  readonly #options: ObserverOptions;
  readonly #informers: InformerSet;
  readonly #instances: Informer;
  readonly #records: Informer;
  readonly #children = new Map<string, Promise<Informer | undefined>>();
  readonly #ready = new Set<Informer>();
  readonly #listeners = new Set<Listener>();

  private constructor(options: ObserverOptions) {
    const { cluster, resource, namespace, names } = options;
    this.#options = options;
    const log = lineLogger({ format: "text", level: "error", write: () => {}, now: () => new Date() });
    this.#informers = new InformerSet({ client: cluster.client, log, metrics: new PrometheusMetrics() });
    this.#instances = this.#informers.ensure(resource, {});
    this.#records = this.#informers.ensure(CONFIG_MAPS, {
      namespace,
      labelSelector: `${names.component}=record`,
    });
    for (const informer of [this.#instances, this.#records]) {
      informer.onChange((change) => this.#tell(change));
    }
  }

  /** Watches from now on. Rejects when the API server does not answer. */
  static async start(options: ObserverOptions): Promise<Observer> {
    const observer = new Observer(options);
    try {
      await Promise.all(
        [observer.#instances, observer.#records].map((one) => one.whenSynced({ timeoutMs: SYNC_MS })),
      );
    } catch (error) {
      await observer.stop();
      throw error;
    }
    return observer;
  }

  /** The instances by name, each with what it owns: in the order of its inventory, and what is not in there yet at the end. */
  nodes(): readonly TreeNode[] {
    const owned = Map.groupBy(
      [...this.#ready].flatMap((informer) => informer.list()),
      (object) => object.metadata.labels?.[this.#options.names.owner],
    );
    return this.#instances.list().toSorted(byName).map((instance) => {
      const order = this.#order(instance);
      const place = (object: KubeObject) => order.get(refKey(refOf(object))) ?? order.size;
      const children = (owned.get(instance.metadata.uid) ?? []).toSorted((a, b) =>
        place(a) - place(b) || byName(a, b)
      );
      return { instance, children };
    });
  }

  /** An instance by name. */
  instance(name: string): KubeObject | undefined {
    return this.#instances.get(undefined, name);
  }

  /** The kinds that were seen so far. */
  async kinds(): Promise<readonly Resource[]> {
    const informers = await Promise.all(this.#children.values());
    return informers.flatMap((informer) => informer === undefined ? [] : [informer.resource]);
  }

  /** Name and history (text for people) of the record of an instance; it outlives the instance. */
  history(instance: KubeObject): { readonly name: string; readonly text: string } | undefined {
    const record = this.#record(instance);
    const data = isJsonObject(record?.data) ? record.data : {};
    return record && { name: record.metadata.name, text: String(data["history.txt"] ?? "") };
  }

  /** Calls back for each change from now on; the answer ends it. */
  onChange(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Asks now and at each change until the answer is not undefined. Rejects when the time is over, or with the signal's reason. */
  until<T>(ask: (change?: ObjectChange) => T | undefined, options: UntilOptions): Promise<T> {
    const { what, timeoutMs, signal } = options;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const look = (change?: ObjectChange) => {
      const answer = ask(change);
      if (answer !== undefined) resolve(answer);
    };
    const abort = () => reject(signal?.reason);
    const timer = setTimeout(
      () => reject(new Error(`Not within ${timeoutMs / 1000} s: ${what()}`)),
      timeoutMs,
    );
    const end = this.onChange(look);
    signal?.addEventListener("abort", abort);
    if (signal?.aborted) abort();
    look();
    return promise.finally(() => {
      clearTimeout(timer);
      end();
      signal?.removeEventListener("abort", abort);
    });
  }

  /** Ends all watches. */
  async stop(): Promise<void> {
    await this.#informers.stop();
  }

  #tell(change: ObjectChange): void {
    for (const instance of this.#instances.list()) {
      for (const type of this.#intendedKinds(instance)) this.#watch(type);
    }
    for (const listener of this.#listeners) listener(change);
  }

  /** The operator writes on an instance which kinds it may own, before it makes the first object. */
  #intendedKinds(instance: KubeObject): readonly GroupVersionKind[] {
    const text = instance.metadata.annotations?.[this.#options.names.kinds] ?? "";
    return text.split(",").filter((item) => item !== "").map((item) => {
      const at = item.lastIndexOf("/");
      return { ...parseApiVersion(item.slice(0, at)), kind: item.slice(at + 1) };
    });
  }

  #watch(type: GroupVersionKind): void {
    const key = groupKindOf(type);
    if (!this.#children.has(key)) this.#children.set(key, this.#informerFor(type));
  }

  async #informerFor(type: GroupVersionKind): Promise<Informer | undefined> {
    const { cluster, names } = this.#options;
    try {
      const resource = await cluster.mapper.resourceFor(type);
      const informer = this.#informers.ensure(resource, { labelSelector: names.owner });
      informer.onChange((change) => this.#tell(change));
      this.#ready.add(informer);
      return informer;
    } catch (error) {
      this.#children.delete(groupKindOf(type)); // asked again at the next change
      if (error instanceof NoMatchError || error instanceof ApiError) return undefined;
      throw error;
    }
  }

  #record(instance: KubeObject): KubeObject | undefined {
    const { instance: annotation } = recordAnnotations(this.#options.names);
    const key = refKey(refOf(instance));
    return this.#records.list().find((record) => record.metadata.annotations?.[annotation] === key);
  }

  #order(instance: KubeObject): ReadonlyMap<string, number> {
    const record = this.#record(instance);
    const inventory = record === undefined ? [] : decodeRecord(record).record.inventory;
    return new Map(inventory.map(({ ref }, index) => [refKey(ref), index]));
  }
}

function byName(a: KubeObject, b: KubeObject): number {
  const text = (object: KubeObject) => refKey(refOf(object));
  return text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0;
}
