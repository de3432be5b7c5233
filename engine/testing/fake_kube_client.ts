/**
 * The port KubeClient on a FakeStore: the verbs with the server's rules that the engine leans on (preconditions, field managers,
 * finalizers, namespaces that must be there). `engine/kube/conformance.ts` holds it to what the real server does.
 */
import {
  canonicalJson,
  formatRef,
  groupKindOf,
  isBeingDeleted,
  isKubeObject,
  type JsonObject,
  type KubeObject,
  type ObjectRef,
  refOf,
  stringifyJson,
} from "../meta/mod.ts";
import {
  AlreadyExistsError,
  type ApplyOptions,
  ConflictError,
  type DeleteOptions,
  ForbiddenError,
  type KubeClient,
  type ListOptions,
  type ListPage,
  NotFoundError,
  type PatchOptions,
  type ReadObject,
  type Resource,
  type WatchEvent,
  type WatchOptions,
  type WriteOptions,
} from "../kube/mod.ts";
import { type Draft, draftOf, getAt, mergePatch, setAt } from "./fake_kube_fields.ts";
import { mergeApplied, ownUpdated } from "./fake_kube_apply.ts";
import { asJson, covers, metadataOnly } from "./fake_kube_selection.ts";
import type { FakeStore } from "./fake_kube_store.ts";

/** One call, for assertions and for `intercept`. */
export interface FakeCall {
  readonly verb: keyof KubeClient;
  /** The object, or for list and watch what is covered: `ConfigMap shop/web`, `ConfigMap`. */
  readonly subject: string;
  readonly fieldManager?: string;
}

/** Hooks of a FakeKubeClient. */
export interface FakeKubeClientOptions {
  /** Sees every call first; throws to make it fail, or waits to make it slow. */
  readonly intercept: (call: FakeCall) => Promise<void> | void;
}

/** Namespaces that are always there. */
const STANDING_NAMESPACES = new Set(["default", "kube-system"]);

/** KubeClient in memory. */
export class FakeKubeClient implements KubeClient {
  readonly #store: FakeStore;
  readonly #options: FakeKubeClientOptions;

  constructor(store: FakeStore, options: FakeKubeClientOptions) {
    this.#store = store;
    this.#options = options;
  }

  async get(_resource: Resource, ref: ObjectRef): Promise<ReadObject> {
    await this.#call("get", formatRef(ref));
    return read(this.#mustHave(ref, "Get"));
  }

  async list(resource: Resource, options: ListOptions = {}): Promise<ListPage> {
    await this.#call("list", groupKindOf(resource));
    const covered = this.#store.all(resource).filter((object) => covers(options, object));
    const start = Number(options.continueToken ?? 0);
    const end = options.limit === undefined ? covered.length : start + options.limit;
    const items = covered.slice(start, end).map((object) =>
      options.metadataOnly ? { object: metadataOnly(object), text: "" } : read(object)
    );
    const more = end < covered.length ? { continueToken: String(end) } : {};
    return { items, resourceVersion: this.#store.resourceVersion, ...more };
  }

  async *watch(resource: Resource, options: WatchOptions): AsyncGenerator<WatchEvent, void> {
    await this.#call("watch", groupKindOf(resource));
    yield* this.#store.watch(resource, options);
  }

  async apply(resource: Resource, object: KubeObject, options: ApplyOptions): Promise<KubeObject> {
    const ref = refOf(object);
    await this.#call("apply", formatRef(ref), options.fieldManager);
    const live = this.#store.get(ref);
    if (live !== undefined && options.onlyCreate) {
      throw new AlreadyExistsError(`Apply of ${formatRef(ref)} was refused: it exists already`, EXISTS);
    }
    checkUid(live, object.metadata.uid, `Apply of ${formatRef(ref)}`);
    if (live === undefined) {
      if (options.subresource !== undefined) this.#mustHave(ref, "Apply");
      this.#checkNamespace(ref, "Apply");
    }
    const wanted = ownPart(asJson(object), resource, options.subresource);
    const merged = mergeApplied(live ?? this.#newObject(object), wanted, options);
    return metadataOnly(this.#save(live, merged, options));
  }

  async create(resource: Resource, object: KubeObject, options: WriteOptions): Promise<ReadObject> {
    const ref = refOf(object);
    await this.#call("create", formatRef(ref), options.fieldManager);
    if (this.#store.get(ref) !== undefined) {
      throw new AlreadyExistsError(`Create of ${formatRef(ref)} was refused: it exists already`, EXISTS);
    }
    this.#checkNamespace(ref, "Create");
    const draft = draftOf(ownPart(asJson(object), resource, undefined));
    draft.metadata = { ...object.metadata, ...this.#newObject(object).metadata };
    return read(this.#save(undefined, ownUpdated(undefined, draft, options), options));
  }

  async replace(resource: Resource, object: KubeObject, options: WriteOptions): Promise<ReadObject> {
    const ref = refOf(object);
    await this.#call("replace", formatRef(ref), options.fieldManager);
    const live = this.#mustHave(ref, "Replace");
    checkUid(live, object.metadata.uid, `Replace of ${formatRef(ref)}`);
    checkVersion(live, object.metadata.resourceVersion, `Replace of ${formatRef(ref)}`);
    const draft = draftOf(ownPart(asJson(object), resource, undefined));
    const { resourceVersion = "" } = live.metadata;
    draft.metadata = { ...object.metadata, ...standing(live), resourceVersion };
    if (resource.subresources.includes("status") && live.status !== undefined) draft.status = live.status;
    return read(this.#save(live, ownUpdated(live, draft, options), options));
  }

  async patch(
    resource: Resource,
    ref: ObjectRef,
    patch: JsonObject,
    options: PatchOptions,
  ): Promise<ReadObject> {
    await this.#call("patch", formatRef(ref), options.fieldManager);
    const live = this.#mustHave(ref, "Patch");
    const wanted = getAt(patch, ["metadata", "resourceVersion"]);
    checkVersion(live, typeof wanted === "string" ? wanted : undefined, `Patch of ${formatRef(ref)}`);
    const draft = draftOf(live);
    mergePatch(draft, ownPart(patch, resource, options.subresource === "status" ? "status" : undefined));
    return read(this.#save(live, ownUpdated(live, draft, options), options));
  }

  async delete(_resource: Resource, ref: ObjectRef, options: DeleteOptions): Promise<"gone" | "deleting"> {
    await this.#call("delete", formatRef(ref));
    const live = this.#mustHave(ref, "Delete");
    if (live.metadata.uid !== options.uid) {
      throw conflict(`Delete of ${formatRef(ref)}`, "the UID does not match");
    }
    const finalizers = live.metadata.finalizers ?? [];
    if (options.dryRun) return finalizers.length > 0 ? "deleting" : "gone";
    if (finalizers.length === 0) {
      if (groupKindOf(ref) === "Namespace") this.#empty(ref.name);
      this.#store.remove(live);
      return "gone";
    }
    if (!isBeingDeleted(live)) {
      this.#store.put({
        ...live,
        metadata: { ...live.metadata, deletionTimestamp: new Date().toISOString() },
      });
    }
    return "deleting";
  }

  async #call(verb: keyof KubeClient, subject: string, fieldManager?: string): Promise<void> {
    await this.#options.intercept({ verb, subject, ...(fieldManager === undefined ? {} : { fieldManager }) });
  }

  #mustHave(ref: ObjectRef, verb: string): KubeObject {
    const live = this.#store.get(ref);
    if (live !== undefined) return live;
    throw new NotFoundError(`${verb} of ${formatRef(ref)} failed: not found`, {
      code: 404,
      reason: "NotFound",
    });
  }

  #checkNamespace({ namespace, ...ref }: ObjectRef, verb: string): void {
    if (namespace === undefined || STANDING_NAMESPACES.has(namespace)) return;
    const home = this.#store.get({ group: "", version: "v1", kind: "Namespace", name: namespace });
    const subject = formatRef({ ...ref, namespace });
    if (home === undefined) {
      const message = `${verb} of ${subject} failed: namespaces "${namespace}" not found`;
      throw new NotFoundError(message, { code: 404, reason: "NotFound" });
    }
    if (!isBeingDeleted(home)) return;
    const message = `${verb} of ${subject} was refused: namespace ${namespace} is being terminated`;
    throw new ForbiddenError(message, {
      code: 403,
      reason: "Forbidden",
      causes: [{ reason: "NamespaceTerminating" }],
    });
  }

  #newObject({ apiVersion, kind, metadata }: KubeObject): KubeObject {
    const { name, namespace } = metadata;
    const identity = { name, ...(namespace === undefined ? {} : { namespace }), uid: crypto.randomUUID() };
    return {
      apiVersion,
      kind,
      metadata: { ...identity, creationTimestamp: new Date().toISOString(), generation: 1 },
    };
  }

  /** Stores what a write made, unless it changes nothing or is a dry run. */
  #save(live: KubeObject | undefined, draft: Draft, { dryRun = false }: WriteOptions): KubeObject {
    if (live !== undefined) {
      if (canonicalJson(draft) === canonicalJson(live)) return live;
      if (canonicalJson(specOf(draft)) !== canonicalJson(specOf(live))) {
        setAt(draft, ["metadata", "generation"], (live.metadata.generation ?? 0) + 1);
      }
    }
    if (!dryRun) return this.#store.put(draft);
    if (!isKubeObject(draft)) throw new TypeError("The fake API server was given what is no object");
    return draft;
  }

  #empty(namespace: string): void {
    for (const object of this.#store.everything()) {
      if (object.metadata.namespace === namespace) this.#store.remove(object);
    }
  }
}

const EXISTS = { code: 409, reason: "AlreadyExists" };

function read(object: KubeObject): ReadObject {
  return { object, text: stringifyJson(object) };
}

function specOf({ metadata: _metadata, status: _status, ...rest }: Draft | KubeObject): unknown {
  return rest;
}

/** Through `status` only the status is written, else everything but the status, where that is a subresource. */
function ownPart(object: JsonObject, resource: Resource, subresource: string | undefined): JsonObject {
  const { status, ...rest } = object;
  if (subresource === "status") {
    return {
      ...(rest.apiVersion === undefined ? {} : { apiVersion: rest.apiVersion, kind: rest.kind }),
      status,
    };
  }
  return resource.subresources.includes("status") ? rest : object;
}

/** Metadata that no replace can change. */
function standing({ metadata }: KubeObject): JsonObject {
  const { uid, creationTimestamp, generation, deletionTimestamp } = metadata;
  return {
    uid,
    creationTimestamp,
    generation,
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
  };
}

function checkUid(live: KubeObject | undefined, uid: string | undefined, what: string): void {
  if (uid !== undefined && live?.metadata.uid !== uid) throw conflict(what, "the UID does not match");
}

function checkVersion(live: KubeObject, version: string | undefined, what: string): void {
  if (version !== undefined && live.metadata.resourceVersion !== version) {
    throw conflict(what, "the object has been modified");
  }
}

function conflict(what: string, why: string): ConflictError {
  return new ConflictError(`${what} was refused: ${why}`, { code: 409, reason: "Conflict" });
}
