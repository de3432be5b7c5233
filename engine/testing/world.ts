/**
 * A whole small world for tests of the reconcile story: the fake API server, real informers over it, the renderer without a cage, and one
 * reconciler. A test puts an instance and templates in, asks for rounds, and looks at calls and stored objects.
 *
 * Time stands still unless the test moves it (`tick`), and every round begins with caches that are in step.
 */
import type { Bundle, Implementation } from "../implementation/mod.ts";
import { CONFIG_MAPS, type Resource } from "../kube/mod.ts";
import { digestOf, type KubeObject, type ObjectRef, refKey } from "../meta/mod.ts";
import { lineLogger, PrometheusMetrics } from "../observe/mod.ts";
import { FakeClock, settled } from "../queue/fake_clock.ts";
import {
  type BundleState,
  type Request,
  type Result,
  TemplateReconciler,
  type World,
} from "../reconcile/mod.ts";
import { InProcessRenderer, type Renderer } from "../render/mod.ts";
import { EventRecorder, StatusWriter } from "../report/mod.ts";
import { decodeRecord, type InstanceRecord, recordAnnotations, RecordStore } from "../revision/mod.ts";
import {
  BY_INSTANCE,
  BY_UID,
  instanceCache,
  instanceKeyOf,
  recordCache,
  uidOf,
  WatchedChildren,
} from "../runtime/mod.ts";
import { InformerSet } from "../watch/mod.ts";
import { NAMES, resource } from "./builders.ts";
import { FakeKube } from "./fake_kube.ts";

/** The kind of the instances: `Thing`, cluster-scoped, with a status subresource. */
export const THINGS = resource("Thing", { group: "example.com", namespaced: false });
/** Namespaces, as an endpoint. */
export const NAMESPACES = resource("Namespace", { namespaced: false });
/** Where records are kept. */
export const SYSTEM = "kube-system";
/** The field manager of the engine. */
export const ENGINE = "engine";

const SOMEBODY = { fieldManager: "somebody" };
const IMPLEMENTATION = "things.example.com";

/** What a test may choose. */
export interface TestWorldOptions {
  /** Template name → text, in the order in which they are rendered. Absent: no bundle. */
  readonly templates?: Readonly<Record<string, string>>;
  readonly implementation?: Partial<Implementation>;
  /** Kinds served besides Thing, Namespace and ConfigMap. */
  readonly served?: readonly Resource[];
  readonly things?: Resource;
  /** The API server of an earlier world: this one is a new process, which knows nothing but what is stored there. */
  readonly kube?: FakeKube;
}

/** A bundle from plain texts; `more` may list them elsewhere than under `templates`. */
export function testBundle(
  templates: Readonly<Record<string, string>>,
  more: Partial<Implementation> = {},
): Bundle {
  const implementation: Implementation = {
    name: IMPLEMENTATION,
    crd: { group: "example.com", version: "v1", kind: "Thing", plural: "things" },
    language: "jinja2",
    undefined: "lenient",
    values: [],
    watch: [],
    templates: Object.keys(templates),
    jobs: [],
    resyncMs: 36_000_000,
    history: { limit: 100 },
    namespaces: ["default", "kube-system"],
    limits: { renderMs: 10_000, outputBytes: 1024 * 1024 },
    options: { trimBlocks: false, lstripBlocks: false },
    ...more,
  };
  const sources = new Map(Object.entries(templates));
  return { implementation, sources, digest: digestOf([implementation, templates]) };
}

/** See the file's head. Close it with `await using`. */
export class TestWorld {
  readonly kube: FakeKube;
  readonly clock = new FakeClock();
  readonly logs: string[] = [];
  /** The ports that the reconciler works on. */
  readonly ports: World;
  readonly things: Resource;
  /** Renders so far. */
  renders = 0;
  readonly #renderer = new InProcessRenderer();
  readonly #informers: InformerSet;
  readonly #stop = new AbortController();
  readonly #events: EventRecorder;
  readonly #reconciler: TemplateReconciler;
  #bundle: BundleState = { bundle: undefined, refusal: undefined };

  private constructor({ served = [], things = THINGS, kube }: TestWorldOptions) {
    this.things = things;
    this.kube = kube ?? new FakeKube([things, NAMESPACES, CONFIG_MAPS, ...served]);
    const { client, mapper } = this.kube;
    const now = () => new Date(Date.UTC(2026, 0, 1) + this.clock.now());
    const log = lineLogger({ format: "text", level: "debug", write: (line) => this.logs.push(line), now });
    const { signal } = this.#stop;
    this.#informers = new InformerSet({
      client,
      log,
      metrics: new PrometheusMetrics(),
      clock: this.clock,
      signal,
    });
    const instances = this.#informers.ensure(things, {}, { indexes: { [BY_UID]: uidOf } });
    const records = this.#informers.ensure(CONFIG_MAPS, {
      namespace: SYSTEM,
      labelSelector: `${NAMES.component}=record,${NAMES.implementation}=${IMPLEMENTATION}`,
    }, { indexes: { [BY_INSTANCE]: instanceKeyOf(recordAnnotations(NAMES)) } });
    const children = new WatchedChildren({
      informers: this.#informers,
      mapper,
      names: NAMES,
      implementation: IMPLEMENTATION,
      signal,
      onChange: () => {},
    });
    this.#events = new EventRecorder({
      client,
      controller: "generic-operator.io",
      process: "test",
      now,
      onError: (error) => log.error(String(error)),
    });
    this.ports = {
      identity: {
        implementation: IMPLEMENTATION,
        fieldManager: ENGINE,
        names: NAMES,
        operator: { namespace: SYSTEM, version: "1.0.0" },
        source: "folder:test",
      },
      resource: things,
      client,
      mapper,
      instances: instanceCache(instances),
      children,
      records: new RecordStore({
        client,
        cache: recordCache(records, SYSTEM),
        names: NAMES,
        namespace: SYSTEM,
        fieldManager: ENGINE,
      }),
      bundle: () => this.#bundle,
      renderer: this.#counting(),
      status: new StatusWriter({ client, fieldManager: ENGINE, schema: () => undefined, now }),
      events: this.#events,
      log,
      now,
    };
    this.#reconciler = new TemplateReconciler(this.ports);
  }

  /** Starts informers and loads the templates, if there are any. */
  static async start(options: TestWorldOptions = {}): Promise<TestWorld> {
    const world = new TestWorld(options);
    await Promise.all(world.#informers.all().map((informer) => informer.whenSynced()));
    if (options.templates !== undefined) await world.load(options.templates, options.implementation);
    world.kube.calls.length = 0;
    return world;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#events.flush();
    await this.#informers.stop();
  }

  /** Takes other templates into service. */
  async load(
    templates: Readonly<Record<string, string>>,
    implementation: Partial<Implementation> = {},
  ): Promise<void> {
    const bundle = testBundle(templates, implementation);
    await this.#renderer.load(bundle);
    this.#bundle = { bundle, refusal: undefined };
  }

  /** Says that newer templates were refused; with `none`, that there are none at all. */
  refuse(refusal: string, { none = false } = {}): void {
    this.#bundle = { bundle: none ? undefined : this.#bundle.bundle, refusal };
  }

  /** Makes an instance, or gives it another spec. */
  async put(name: string, spec: KubeObject["spec"], namespace?: string): Promise<KubeObject> {
    const object: KubeObject = {
      apiVersion: `${this.things.group}/${this.things.version}`,
      kind: this.things.kind,
      metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
      spec,
    };
    await this.kube.client.apply(this.things, object, SOMEBODY);
    return this.mustHave(this.thing(name, namespace));
  }

  /** Reference to an instance. */
  thing(name: string, namespace?: string): ObjectRef {
    const { group, version, kind } = this.things;
    return { group, version, kind, ...(namespace === undefined ? {} : { namespace }), name };
  }

  /** Asks for the deletion of an object, as a user does. */
  async remove(endpoint: Resource, ref: ObjectRef): Promise<void> {
    const { metadata: { uid = "" } } = this.mustHave(ref);
    await this.kube.client.delete(endpoint, ref, { uid });
  }

  /** Waits until the caches have seen all that was written. */
  inStep(): Promise<void> {
    return settled();
  }

  /** Moves time on. */
  async tick(ms: number): Promise<void> {
    await this.clock.advance(ms);
  }

  /** One round, with caches in step before it and all its Events written after it. Its calls are all that `kube.calls` holds then. */
  async round(request: Request | string, signal: AbortSignal = this.#stop.signal): Promise<Result> {
    await settled();
    this.kube.calls.length = 0;
    const result = await this.#reconciler.reconcile(
      typeof request === "string" ? { name: request } : request,
      signal,
    );
    await this.#events.flush();
    return result;
  }

  /** Rounds until one sends nothing. Throws after ten. */
  async rest(request: Request | string): Promise<void> {
    for (let round = 0; round < 10; round++) {
      await this.round(request);
      if (this.kube.calls.length === 0) return;
    }
    throw new Error(`No rest after ten rounds: ${this.sent().join(", ")}`);
  }

  /** Calls of the last round but lists and watches: `apply ConfigMap default/a`. */
  sent(): readonly string[] {
    return this.kube.calls.filter(({ verb }) => verb !== "list" && verb !== "watch")
      .map(({ verb, subject }) => `${verb} ${subject.replace(/^(Event\S* \S+?)\..*/, "$1")}`);
  }

  /** The stored object. Throws when it is not there. */
  mustHave(ref: ObjectRef): KubeObject {
    const object = this.kube.stored(ref);
    if (object === undefined) throw new Error(`${refKey(ref)} is not stored`);
    return object;
  }

  /** The record of an instance as it is stored; undefined when there is none. */
  record(name: string, namespace?: string): InstanceRecord | undefined {
    const object = this.recordObject(name, namespace);
    return object === undefined ? undefined : decodeRecord(object).record;
  }

  /** The ConfigMap that holds the record. */
  recordObject(name: string, namespace?: string): KubeObject | undefined {
    const key = refKey(this.thing(name, namespace));
    const { instance } = recordAnnotations(NAMES);
    return this.kube.objects().find(({ metadata }) => metadata.annotations?.[instance] === key);
  }

  /** The condition `Ready` of an instance: `True Applied: 2 objects are as rendered`. */
  ready(name: string, namespace?: string): string {
    return this.condition("Ready", name, namespace);
  }

  /** A condition of an instance, in one line. */
  condition(type: string, name: string, namespace?: string): string {
    const { status } = this.mustHave(this.thing(name, namespace));
    const conditions: unknown = Object(status).conditions;
    const found: unknown = Array.isArray(conditions)
      ? conditions.find((one) => one.type === type)
      : undefined;
    const { status: is, reason, message } = Object(found);
    return `${is} ${reason}: ${message}`;
  }

  /** Reasons of the Events, in order of their making. */
  eventReasons(): readonly string[] {
    return this.kube.objects().filter(({ kind }) => kind === "Event").map(({ reason }) => String(reason));
  }

  #counting(): Renderer {
    const renderer = this.#renderer;
    return {
      load: (bundle) => renderer.load(bundle),
      render: (request) => {
        this.renders++;
        return renderer.render(request);
      },
      renderStatus: (request) => renderer.renderStatus(request),
      close: () => renderer.close(),
    };
  }
}
