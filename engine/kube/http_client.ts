/**
 * The port KubeClient over HTTP: a verb on data becomes one request, its answer becomes data again.
 *
 * Writes whose answer nobody reads whole ask for `PartialObjectMetadata`: little to send, little to parse. Texts are kept as the
 * server wrote them (json_spans.ts), because templates read those.
 */
import {
  formatRef,
  groupKindOf,
  isKubeObject,
  type JsonObject,
  type KubeObject,
  type ObjectRef,
  parseJson,
  refOf,
  stringifyJson,
  typeMetaOf,
} from "../meta/mod.ts";
import type {
  ApplyOptions,
  DeleteOptions,
  KubeClient,
  ListOptions,
  ListPage,
  PatchOptions,
  ReadObject,
  Selection,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from "./client.ts";
import type { Resource } from "./discovery.ts";
import { AlreadyExistsError, ConflictError, InvalidError } from "./errors.ts";
import { metadataOf, readObject, readPage } from "./answers.ts";
import { collectionPath, objectPath } from "./paths.ts";
import type { Attempt } from "./status_error.ts";
import type { ApiRequest, Transport } from "./transport.ts";
import { readWatch } from "./watch_stream.ts";

const JSON_TYPE = "application/json";
const METADATA = `${JSON_TYPE};as=PartialObjectMetadata;v=v1;g=meta.k8s.io,${JSON_TYPE}`;
const METADATA_LIST = `${JSON_TYPE};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,${JSON_TYPE}`;

/** KubeClient over a Transport. Closing the transport is the caller's. */
export class HttpKubeClient implements KubeClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async get(resource: Resource, ref: ObjectRef): Promise<ReadObject> {
    const attempt = attemptOn("Get", ref);
    return readObject(
      await this.#transport.request({
        attempt,
        method: "GET",
        path: objectPath(resource, ref),
        accept: JSON_TYPE,
      }),
      attempt,
    );
  }

  async list(resource: Resource, options: ListOptions = {}): Promise<ListPage> {
    const attempt = attemptOnMany("List", resource, options);
    const text = await this.#transport.request({
      attempt,
      method: "GET",
      path: collectionPath(resource, options.namespace),
      query: {
        ...selectionQuery(options),
        limit: options.limit?.toString(),
        continue: options.continueToken,
        resourceVersion: options.resourceVersion,
      },
      accept: options.metadataOnly ? METADATA_LIST : JSON_TYPE,
    });
    return readPage(text, { resource, attempt, withText: !options.metadataOnly });
  }

  async *watch(resource: Resource, options: WatchOptions): AsyncGenerator<WatchEvent, void> {
    const attempt = attemptOnMany("Watch", resource, options);
    const chunks = this.#transport.stream({
      attempt,
      method: "GET",
      path: collectionPath(resource, options.namespace),
      query: {
        ...selectionQuery(options),
        watch: "true",
        allowWatchBookmarks: "true",
        resourceVersion: options.resourceVersion,
        ...(options.sendInitialEvents
          ? { sendInitialEvents: "true", resourceVersionMatch: "NotOlderThan" }
          : {}),
        timeoutSeconds: options.timeoutSeconds?.toString(),
      },
      accept: options.metadataOnly ? METADATA : JSON_TYPE,
      signal: options.signal,
    });
    try {
      yield* readWatch(chunks, { attempt, type: typeMetaOf(resource), withText: !options.metadataOnly });
    } catch (error) {
      if (!options.signal.aborted) throw error;
    }
  }

  async apply(resource: Resource, object: KubeObject, options: ApplyOptions): Promise<KubeObject> {
    const attempt = attemptOn("Apply", refOf(object));
    const body = options.onlyCreate ? createOnly(object) : object;
    try {
      const text = await this.#transport.request({
        ...writeRequest(resource, refOf(object), options),
        attempt,
        method: "PATCH",
        query: { ...writeQuery(options), force: String(options.force ?? true) },
        accept: METADATA,
        body: { type: "application/apply-patch+yaml", text: stringifyJson(body) },
      });
      return metadataOf(text, resource, attempt);
    } catch (error) {
      throw explainRefusal(error, { resource, attempt, onlyCreate: options.onlyCreate ?? false });
    }
  }

  async create(resource: Resource, object: KubeObject, options: WriteOptions): Promise<ReadObject> {
    const ref = refOf(object);
    const attempt = attemptOn("Create", ref);
    objectPath(resource, ref); // refuses names that can be none
    return readObject(
      await this.#transport.request({
        attempt,
        method: "POST",
        path: collectionPath(resource, ref.namespace),
        query: writeQuery(options),
        accept: JSON_TYPE,
        body: { type: JSON_TYPE, text: stringifyJson(object) },
        signal: options.signal,
      }),
      attempt,
    );
  }

  async replace(resource: Resource, object: KubeObject, options: WriteOptions): Promise<ReadObject> {
    const attempt = attemptOn("Replace", refOf(object));
    return readObject(
      await this.#transport.request({
        ...writeRequest(resource, refOf(object), options),
        attempt,
        method: "PUT",
        query: writeQuery(options),
        accept: JSON_TYPE,
        body: { type: JSON_TYPE, text: stringifyJson(object) },
      }),
      attempt,
    );
  }

  async patch(
    resource: Resource,
    ref: ObjectRef,
    patch: JsonObject,
    options: PatchOptions,
  ): Promise<ReadObject> {
    const attempt = attemptOn("Patch", ref);
    return readObject(
      await this.#transport.request({
        ...writeRequest(resource, ref, options),
        attempt,
        method: "PATCH",
        query: writeQuery(options),
        accept: JSON_TYPE,
        body: { type: "application/merge-patch+json", text: stringifyJson(patch) },
      }),
      attempt,
    );
  }

  async delete(resource: Resource, ref: ObjectRef, options: DeleteOptions): Promise<"gone" | "deleting"> {
    const attempt = attemptOn("Delete", ref);
    const body = {
      kind: "DeleteOptions",
      apiVersion: "v1",
      preconditions: { uid: options.uid },
      propagationPolicy: options.propagation,
    };
    const text = await this.#transport.request({
      attempt,
      method: "DELETE",
      path: objectPath(resource, ref),
      query: dryRunQuery(options),
      accept: METADATA,
      body: { type: JSON_TYPE, text: stringifyJson(body) },
      signal: options.signal,
    });
    const answer = parseJson(text);
    return isKubeObject(answer) && answer.metadata.deletionTimestamp !== undefined ? "deleting" : "gone";
  }
}

function attemptOn(verb: string, ref: ObjectRef): Attempt {
  return { verb, subject: formatRef(ref), secret: isSecret(ref) };
}

function attemptOnMany(verb: string, resource: Resource, { namespace }: Selection): Attempt {
  const place = !resource.namespaced
    ? ""
    : namespace === undefined
    ? " in all namespaces"
    : ` in ${namespace}`;
  return { verb, subject: `${groupKindOf(resource)}${place}`, secret: isSecret(resource) };
}

function isSecret({ group, kind }: { readonly group: string; readonly kind: string }): boolean {
  return group === "" && kind === "Secret";
}

function selectionQuery(selection: Selection): Record<string, string | undefined> {
  return { labelSelector: selection.labelSelector, fieldSelector: selection.fieldSelector };
}

function dryRunQuery({ dryRun }: { readonly dryRun?: boolean }): Record<string, string | undefined> {
  return { dryRun: dryRun ? "All" : undefined };
}

/** Strict: a field that the schema does not know is refused, by name, instead of dropped. */
function writeQuery(options: WriteOptions): Record<string, string | undefined> {
  return { fieldManager: options.fieldManager, fieldValidation: "Strict", ...dryRunQuery(options) };
}

function writeRequest(
  resource: Resource,
  ref: ObjectRef,
  options: PatchOptions,
): Pick<ApiRequest, "path" | "signal"> {
  return { path: objectPath(resource, ref, options.subresource), signal: options.signal };
}

/**
 * Makes an apply fail on an object that exists, in the one request and without a race: an apply that creates ignores the given
 * resourceVersion, one that changes compares it, and no stored object ever has "1" (etcd's first write is revision 2).
 */
function createOnly(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: "1" } };
}

/** What the refusal of an apply means beyond its status: the object exists already, or a namesake has taken its place. */
function explainRefusal(error: unknown, { resource, attempt, onlyCreate }: {
  readonly resource: Resource;
  readonly attempt: Attempt;
  readonly onlyCreate: boolean;
}): unknown {
  const subject = `${attempt.verb} of ${attempt.subject} was refused`;
  if (onlyCreate && error instanceof ConflictError && isAboutTheObject(error, resource)) {
    const init = { code: 409, reason: "AlreadyExists", cause: error };
    return new AlreadyExistsError(`${subject}: it exists already`, init);
  }
  if (error instanceof InvalidError && error.causes.some((cause) => cause.field === "metadata.uid")) {
    const init = { code: 409, reason: "Conflict", causes: error.causes, cause: error };
    return new ConflictError(`${subject}: the name belongs to another object now (its UID differs)`, init);
  }
  return error;
}

/** Other conflicts are about other objects: the quota of the namespace was changed at the same moment, say. */
function isAboutTheObject(error: ConflictError, resource: Resource): boolean {
  return error.causes.some((cause) => cause.reason === "FieldManagerConflict") ||
    error.message.includes(`cannot be fulfilled on ${resource.plural}`);
}
