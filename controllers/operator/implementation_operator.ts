/**
 * One implementation at work, for every instance of its CRD, cluster-wide: puts the engine's parts together, starts them in order, and turns
 * events into requests.
 *
 * Start order: templates, then the CRD (waits until it is served), then caches (kinds that any instance may own come with the instances), then
 * workers. Stop order is the reverse: workers finish, informers end.
 */
import {
  BundleKeeper,
  BY_INSTANCE,
  BY_UID,
  CONFIG_MAPS,
  Controller,
  type CrdName,
  CUSTOM_RESOURCE_DEFINITIONS,
  EventRecorder,
  ForbiddenError,
  type Informer,
  InformerSet,
  instanceCache,
  instanceKeyOf,
  type KubeClient,
  type Logger,
  type Metrics,
  NoMatchError,
  type OwnNames,
  pause,
  recordAnnotations,
  recordCache,
  RecordStore,
  type Renderer,
  requestKey,
  requestOf,
  requestOfRefKey,
  type Resource,
  type RestMapper,
  shorten,
  statusSchemaOf,
  StatusWriter,
  TemplateReconciler,
  type TemplateSource,
  uidOf,
  WatchedChildren,
  woken,
  WorkQueue,
} from "../../engine/mod.ts";
import { rememberedCrd } from "./remembered_crd.ts";

/** What all implementations of a process share, and what is this one's. */
export interface ImplementationOperatorOptions {
  readonly client: KubeClient;
  readonly mapper: RestMapper;
  readonly source: TemplateSource;
  readonly renderer: Renderer;
  /** From flags: known even while the source cannot be read. */
  readonly crd: Partial<CrdName>;
  readonly names: OwnNames;
  readonly namespace: string;
  readonly version: string;
  readonly workers: number;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** Pause between two looks for a CRD that is not served yet, in milliseconds. */
const CRD_POLL_MS = 2_000;
/** Pause between two looks at caches that are not in step yet, in milliseconds. */
const SYNC_POLL_MS = 20;
/** How long the schema of the CRD is waited for before statuses are written without it, in milliseconds. */
const SCHEMA_MS = 3_000;

/** Runs one implementation. */
export class ImplementationOperator {
  readonly #options: ImplementationOperatorOptions;
  readonly #keeper: BundleKeeper;
  #isReady = false;
  #onBundle: () => void = () => {};

  constructor(options: ImplementationOperatorOptions) {
    this.#options = options;
    this.#keeper = new BundleKeeper({
      source: options.source,
      renderer: options.renderer,
      log: options.log,
      onChange: () => this.#onBundle(),
    });
  }

  /** Caches are in step and workers run. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Ends when the signal aborts and all that was under way is finished. Throws ForbiddenError when instances may not be watched. */
  async run(outer: AbortSignal): Promise<void> {
    const ended = new AbortController();
    const signal = AbortSignal.any([outer, ended.signal]);
    await this.#keeper.load();
    const following = this.#keeper.run(signal);
    try {
      const crd = await this.#crd(signal);
      const resource = crd === undefined ? undefined : await this.#served(crd, signal);
      if (resource !== undefined) await this.#serve(resource, signal);
    } finally {
      this.#isReady = false;
      ended.abort();
      await following;
    }
  }

  /** From the bundle, from flags, from the records of an earlier run, or as soon as the source can be read. */
  async #crd(signal: AbortSignal): Promise<CrdName | undefined> {
    const { client, names, namespace, source, log } = this.#options;
    const known = this.#keeper.crd ?? complete(this.#options.crd) ??
      await rememberedCrd(client, { names, namespace, source: source.name });
    if (known !== undefined) return known;
    log.warn("Waits for its implementation: the CRD is not known", { source: source.name });
    while (!signal.aborted) {
      const { crd } = this.#keeper;
      if (crd !== undefined) return crd;
      await woken((wake) => this.#onBundle = wake, signal);
    }
    return undefined;
  }

  /** Waits until the API server serves the CRD. */
  async #served(crd: CrdName, signal: AbortSignal): Promise<Resource | undefined> {
    const { mapper, log } = this.#options;
    let isSaid = false;
    while (!signal.aborted) {
      try {
        return await mapper.resourceFor(crd);
      } catch (error) {
        if (!(error instanceof NoMatchError)) throw error;
        if (!isSaid) log.warn(`Waits for its CRD ${crd.plural}.${crd.group}: ${error.message}`);
        isSaid = true;
      }
      await pause(CRD_POLL_MS, signal);
    }
    return undefined;
  }

  /** Waits for caches. An instance kind that we may not watch is a fault of the installation: said, and the end. */
  async #synced(informers: readonly Informer[], signal: AbortSignal): Promise<void> {
    while (!signal.aborted && informers.some((informer) => !informer.synced)) {
      for (const informer of informers) {
        if (informer.lastError instanceof ForbiddenError) throw informer.lastError;
      }
      await pause(SYNC_POLL_MS, signal);
    }
  }

  async #serve(resource: Resource, signal: AbortSignal): Promise<void> {
    const { client, log, metrics, names, namespace, renderer, source, version, workers, mapper } =
      this.#options;
    const plural = `${resource.plural}.${resource.group}`;
    const implementation = shorten(plural);
    const fieldManager = shorten(`generic-operator:${plural}@${namespace}`, 110);
    const informers = new InformerSet({ client, log, metrics, signal });
    const queue = new WorkQueue();
    const instances = informers.ensure(resource, {}, { indexes: { [BY_UID]: uidOf } });
    const records = informers.ensure(CONFIG_MAPS, {
      namespace,
      labelSelector: `${names.component}=record,${names.implementation}=${implementation}`,
    }, { indexes: { [BY_INSTANCE]: instanceKeyOf(recordAnnotations(names).instance) } });
    const crds = informers.ensure(
      CUSTOM_RESOURCE_DEFINITIONS,
      { fieldSelector: `metadata.name=${plural}` },
      {},
    );
    const enqueueUid = (uid: string) => {
      for (const object of instances.byIndex(BY_UID, uid)) queue.add(requestKey(requestOf(object)));
    };
    const children = new WatchedChildren({
      informers,
      mapper,
      names,
      implementation,
      signal,
      onChange: enqueueUid,
    });
    const events = new EventRecorder({
      client,
      controller: names.component.split("/")[0] ?? "generic-operator",
      process: `generic-operator-${Deno.hostname()}`.slice(0, 128),
      now: () => new Date(),
      onError: (error) => log.debug(`Event not written: ${String(error)}`),
    });
    const reconciler = new TemplateReconciler({
      identity: {
        implementation,
        fieldManager,
        names,
        operator: { namespace, version },
        source: source.name,
      },
      resource,
      client,
      mapper,
      instances: instanceCache(instances),
      children,
      records: new RecordStore({
        client,
        cache: recordCache(records, namespace),
        names,
        namespace,
        fieldManager,
      }),
      bundle: () => this.#keeper.state,
      renderer,
      status: new StatusWriter({
        client,
        fieldManager,
        schema: () => statusSchemaOf(crds.list()[0], resource.version),
        now: () => new Date(),
      }),
      events,
      log,
      now: () => new Date(),
    });

    await this.#synced([instances, records], signal);
    await crds.whenSynced({ timeoutMs: SCHEMA_MS }).catch(() =>
      log.warn(`Cannot watch the CRD ${plural}: its status schema is not known`)
    );
    if (signal.aborted) return;
    const enqueueAll = () => {
      for (const object of instances.list()) queue.add(requestKey(requestOf(object)));
    };
    instances.onChange(({ old, new: now }) => {
      const object = now ?? old;
      if (object !== undefined) queue.add(requestKey(requestOf(object)));
    });
    const { instance: annotation } = recordAnnotations(names);
    records.onChange(({ old, new: now }) => {
      const key = (now ?? old)?.metadata.annotations?.[annotation];
      if (key !== undefined) queue.add(requestKey(requestOfRefKey(key)));
    });
    crds.onChange(() => mapper.invalidate());
    this.#onBundle = enqueueAll;
    enqueueAll();
    const resync = setInterval(enqueueAll, this.#keeper.state.bundle?.implementation.resyncMs ?? 36_000_000);
    this.#isReady = true;
    if (!resource.subresources.includes("status")) {
      log.warn(`${plural} has no status subresource: how an instance is, only Events and this log tell`);
    }
    log.info(`Serves ${plural}`, { instances: instances.list().length, source: source.name });
    try {
      await new Controller({ name: plural, queue, reconciler, workers, log, metrics }).run(signal);
    } finally {
      clearInterval(resync);
      await events.flush();
      await informers.stop();
    }
  }
}

/** The CRD, if all four of its names are given. */
function complete({ group, version, kind, plural }: Partial<CrdName>): CrdName | undefined {
  if (group === undefined || version === undefined || kind === undefined || plural === undefined) {
    return undefined;
  }
  return { group, version, kind, plural };
}
