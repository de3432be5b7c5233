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
  canonicalJson,
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
  type KubeObject,
  type Logger,
  type Metrics,
  NAMESPACES,
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
  /** Called with the CRD's name before it is served. Throws ConfigError when another implementation of this process serves it. */
  readonly claim: (crd: string) => void;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** Pause between two looks for a CRD that is not served yet, in milliseconds. */
const CRD_POLL_MS = 2_000;
/** How long discovery may lag behind a CRD, in milliseconds. */
const DISCOVERY_LAG_MS = 1_000;
/** How long the schema of the CRD is waited for before statuses are written without it, in milliseconds. */
const SCHEMA_MS = 3_000;
/** Pause between two looks at every instance while no bundle says another, in milliseconds. */
const RESYNC_MS = 36_000_000;

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
      if (crd !== undefined) this.#options.claim(nameOf(crd));
      if (crd !== undefined) await this.#namespaceThere(signal);
      while (crd !== undefined && !signal.aborted) {
        const resource = await this.#served(crd, signal);
        if (resource !== undefined) await this.#serve(resource, signal);
      }
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

  /** Waits until the namespace of the records is there; where we may not look, the first record will tell. */
  async #namespaceThere(signal: AbortSignal): Promise<void> {
    const { client, namespace, log } = this.#options;
    let isSaid = false;
    while (!signal.aborted) {
      try {
        const { items } = await client.list(NAMESPACES, {
          fieldSelector: `metadata.name=${namespace}`,
          metadataOnly: true,
        });
        if (items.length > 0) return;
      } catch (error) {
        if (error instanceof ForbiddenError) return;
        throw error;
      }
      if (!isSaid) {
        log.warn(
          `Waits for namespace ${namespace}, where records are kept: kubectl create namespace ${namespace}`,
        );
      }
      isSaid = true;
      await pause(CRD_POLL_MS, signal);
    }
  }

  /** Waits until the API server serves the CRD. */
  async #served(crd: CrdName, signal: AbortSignal): Promise<Resource | undefined> {
    const { mapper, log } = this.#options;
    let isSaid = false;
    while (!signal.aborted) {
      try {
        const resource = await mapper.resourceFor(crd);
        if (resource.plural !== crd.plural && !isSaid) {
          log.warn(
            `The plural of ${crd.kind} is ${resource.plural}, not ${crd.plural}: correct "crd.plural"`,
          );
        }
        return resource;
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
    try {
      await Promise.all(informers.map((informer) => informer.whenSynced({ signal })));
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Serves until the signal, or until the CRD is served otherwise (say, with a status subresource): then it starts anew. */
  async #serve(resource: Resource, outer: AbortSignal): Promise<void> {
    const changed = new AbortController();
    const signal = AbortSignal.any([outer, changed.signal]);
    const informers = new InformerSet(this.#options);
    try {
      const caches = this.#caches(resource, informers);
      await this.#synced([caches.instances, caches.records], signal);
      await caches.crds.whenSynced({ timeoutMs: SCHEMA_MS }).catch(() =>
        this.#options.log.warn(`Cannot watch the CRD ${nameOf(resource)}: its status schema is not known`)
      );
      caches.crds.onChange(() => void this.#compare(resource, changed, signal));
      if (!signal.aborted) await this.#work(resource, caches, signal);
    } finally {
      await informers.stop();
    }
  }

  async #compare(resource: Resource, changed: AbortController, signal: AbortSignal): Promise<void> {
    const { mapper, log } = this.#options;
    await pause(DISCOVERY_LAG_MS, signal);
    mapper.invalidate();
    const now = await mapper.resourceFor(resource).catch(() => resource);
    if (canonicalJson(now) === canonicalJson(resource)) return;
    log.info(`The CRD ${nameOf(resource)} is served otherwise now: starts anew`);
    changed.abort();
  }

  #caches(resource: Resource, informers: InformerSet): Caches {
    const { names, namespace } = this.#options;
    const labels = `${names.component}=record,${names.implementation}=${shorten(nameOf(resource))}`;
    return {
      informers,
      instances: informers.ensure(resource, {}, { indexes: { [BY_UID]: uidOf } }),
      records: informers.ensure(CONFIG_MAPS, { namespace, labelSelector: labels }, {
        indexes: { [BY_INSTANCE]: instanceKeyOf(recordAnnotations(names)) },
        keepText: false,
      }),
      crds: informers.ensure(CUSTOM_RESOURCE_DEFINITIONS, {
        fieldSelector: `metadata.name=${nameOf(resource)}`,
      }, { keepText: false }),
    };
  }

  /** Turns events into requests, and works on them until the signal. */
  async #work(resource: Resource, caches: Caches, signal: AbortSignal): Promise<void> {
    const { names, namespace, client, log, metrics, source, workers } = this.#options;
    const { instances, records, crds } = caches;
    const queue = new WorkQueue();
    const enqueue = (object: KubeObject | undefined) => {
      if (object !== undefined) queue.add(requestKey(requestOf(object)));
    };
    const enqueueAll = () => instances.list().forEach(enqueue);
    const children = new WatchedChildren({
      ...this.#options,
      informers: caches.informers,
      implementation: shorten(nameOf(resource)),
      signal,
      onChange: (uid) => instances.byIndex(BY_UID, uid).forEach(enqueue),
    });
    const events = new EventRecorder({
      client,
      controller: names.component.split("/")[0] ?? "generic-operator",
      process: `generic-operator-${Deno.hostname()}`.slice(0, 128),
      now: () => new Date(),
      onError: (error) => log.debug(`Event not written: ${String(error)}`),
    });
    instances.onChange(({ old, new: now }) => enqueue(now ?? old));
    const { instance: annotation } = recordAnnotations(names);
    const enqueueRecord = (object: KubeObject | undefined) => {
      const key = object?.metadata.annotations?.[annotation];
      if (key !== undefined) queue.add(requestKey(requestOfRefKey(key)));
    };
    records.onChange(({ old, new: now }) => enqueueRecord(now ?? old));
    crds.onChange(enqueueAll); // another schema keeps other fields of a status
    this.#onBundle = enqueueAll;
    enqueueAll();
    records.list().forEach(enqueueRecord); // instances that went while nobody looked
    const resync = setInterval(enqueueAll, this.#keeper.state.bundle?.implementation.resyncMs ?? RESYNC_MS);
    this.#isReady = true;
    if (!resource.subresources.includes("status")) {
      log.warn(
        `${
          nameOf(resource)
        } has no status subresource: how an instance is, only Events and this log tell; add "subresources: {status: {}}" and a status schema`,
      );
    }
    log.info(`Serves ${nameOf(resource)}`, {
      namespace,
      instances: instances.list().length,
      source: source.name,
    });
    try {
      const reconciler = this.#reconciler(resource, caches, { children, events });
      await new Controller({ name: nameOf(resource), queue, reconciler, workers, log, metrics }).run(signal);
    } finally {
      clearInterval(resync);
      await events.flush();
    }
  }

  #reconciler(
    resource: Resource,
    { instances, records, crds }: Caches,
    parts: { readonly children: WatchedChildren; readonly events: EventRecorder },
  ): TemplateReconciler {
    const { client, mapper, names, namespace, renderer, source, version, log } = this.#options;
    const fieldManager = shorten(`generic-operator:${nameOf(resource)}@${namespace}`, 110);
    const now = () => new Date();
    return new TemplateReconciler({
      identity: {
        implementation: shorten(nameOf(resource)),
        fieldManager,
        names,
        operator: { namespace, version },
        source: source.name,
      },
      resource,
      client,
      mapper,
      ...parts,
      instances: instanceCache(instances),
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
        now,
        schema: () => statusSchemaOf(crds.list()[0], resource.version),
      }),
      log,
      now,
    });
  }
}

interface Caches {
  readonly informers: InformerSet;
  readonly instances: Informer;
  readonly records: Informer;
  readonly crds: Informer;
}

/** `things.example.com`: the name of a CRD. */
function nameOf({ plural, group }: { readonly plural: string; readonly group: string }): string {
  return `${plural}.${group}`;
}

/** The CRD, if all four of its names are given. */
function complete({ group, version, kind, plural }: Partial<CrdName>): CrdName | undefined {
  if (group === undefined || version === undefined || kind === undefined || plural === undefined) {
    return undefined;
  }
  return { group, version, kind, plural };
}
