/**
 * The port to a Kubernetes API server: the few verbs that the engine needs, on data.
 *
 * `http_client.ts` implements it over Deno's fetch, `engine/testing/` in memory; one conformance suite holds both to
 * the same behaviour. Every call throws an `ApiError` (errors.ts) that names verb, object and the server's reason.
 */
import type { JsonObject, KubeObject, ObjectRef } from "../meta/mod.ts";
import type { Resource } from "./discovery.ts";

/** One event of a watch. A `410 Gone`, also one inside a 200 stream, is thrown as a GoneError. */
export type WatchEvent =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: KubeObject; readonly text: string }
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string; readonly initialEventsEnd: boolean };

/** An object as it came, with its JSON text: templates read the text, because there no key moves and no integer rounds. */
export interface ReadObject {
  readonly object: KubeObject;
  readonly text: string;
}

/** What a list or watch covers. */
export interface Selection {
  /** One namespace; absent: all. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Ask for `PartialObjectMetadata` only. Default false. */
  readonly metadataOnly?: boolean;
}

/** Options of a list. */
export interface ListOptions extends Selection {
  /** Objects per page. */
  readonly limit?: number;
  readonly continueToken?: string;
  /** `"0"` reads from the server's cache. */
  readonly resourceVersion?: string;
}

/** A page of a list. */
export interface ListPage {
  readonly items: readonly ReadObject[];
  readonly resourceVersion: string;
  readonly continueToken?: string;
}

/** Options of a watch. */
export interface WatchOptions extends Selection {
  readonly resourceVersion?: string;
  /** Ask for a streamed list first (`sendInitialEvents`): its end is a bookmark with `initialEventsEnd`. */
  readonly sendInitialEvents?: boolean;
  /** The server ends the watch after this time, in seconds. */
  readonly timeoutSeconds?: number;
  readonly signal: AbortSignal;
}

/** Options of every write. */
export interface WriteOptions {
  readonly fieldManager: string;
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
}

/** Options of a server-side apply. */
export interface ApplyOptions extends WriteOptions {
  /** Take fields over from other managers. Default true. */
  readonly force?: boolean;
  readonly subresource?: "status";
  /** Refuse (AlreadyExistsError) when the object exists already; race-free, in the one request. Default false. */
  readonly onlyCreate?: boolean;
}

/** Options of a merge patch. */
export interface PatchOptions extends WriteOptions {
  readonly subresource?: "status" | "scale";
}

/** Options of a delete. The UID is a precondition: a namesake made since then is not touched (ConflictError). */
export interface DeleteOptions {
  readonly uid: string;
  readonly propagation?: "Background" | "Foreground" | "Orphan";
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
}

/** The verbs. All but `get`, `create` and `replace` are answered with as little as the engine needs. */
export interface KubeClient {
  /** The whole object. */
  get(resource: Resource, ref: ObjectRef): Promise<ReadObject>;
  list(resource: Resource, options?: ListOptions): Promise<ListPage>;
  /** Ends when the server ends it or the signal aborts; throws on errors. */
  watch(resource: Resource, options: WatchOptions): AsyncIterable<WatchEvent>;
  /** Server-side apply; the answer is the metadata of the stored object (`PartialObjectMetadata`). */
  apply(resource: Resource, object: KubeObject, options: ApplyOptions): Promise<KubeObject>;
  /** POST; the answer is the whole stored object. */
  create(resource: Resource, object: KubeObject, options: WriteOptions): Promise<ReadObject>;
  /** PUT; `metadata.resourceVersion` of the object is a precondition (ConflictError). The answer is the whole stored object. */
  replace(resource: Resource, object: KubeObject, options: WriteOptions): Promise<ReadObject>;
  /** JSON merge patch (RFC 7386); the answer is the whole stored object. */
  patch(resource: Resource, ref: ObjectRef, patch: JsonObject, options: PatchOptions): Promise<ReadObject>;
  /**
   * Deletes by UID. The answer says whether the object is gone already, or still there with a `deletionTimestamp` (finalizers, a
   * namespace with content). An object that is not there throws NotFoundError.
   */
  delete(resource: Resource, ref: ObjectRef, options: DeleteOptions): Promise<"gone" | "deleting">;
}
