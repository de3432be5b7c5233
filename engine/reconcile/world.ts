/**
 * What a reconcile sees and may do, as ports: caches to read, writers to call. The runtime makes it from informers and the client, a unit
 * test from maps and the fake client.
 */
import type { LiveObjects, PendingWrite } from "../apply/mod.ts";
import type { Bundle } from "../implementation/mod.ts";
import type { KubeClient, ReadObject, Resource, RestMapper } from "../kube/mod.ts";
import type { GroupVersionKind, KubeObject, ObjectRef, OwnNames } from "../meta/mod.ts";
import type { Logger } from "../observe/mod.ts";
import type { Renderer } from "../render/mod.ts";
import type { EventRecorder, StatusWriter } from "../report/mod.ts";
import type { RecordStore } from "../revision/mod.ts";
import type { Request } from "./reconciler.ts";

/** Who we are: constant for one implementation in one process. */
export interface Identity {
  /** Value of the implementation label. */
  readonly implementation: string;
  readonly fieldManager: string;
  readonly names: OwnNames;
  /** The operator's namespace and version, as templates see them. */
  readonly operator: { readonly namespace: string; readonly version: string };
  /** Name of the template source. */
  readonly source: string;
}

/** The instances of the CRD. */
export interface InstanceCache {
  read(request: Request): ReadObject | undefined;
  existsUid(uid: string): boolean;
  beginWrite(request: Request): { done(read: ReadObject): void; gone(): void; failed(): void };
}

/** A cache is still being filled and nothing is wrong: ask again in a moment. */
export class NotInStepError extends Error {
  override name = "NotInStepError";
}

/** How strictly kinds are needed. */
export interface EnsureKindsOptions {
  /** A kind that cannot be watched (forbidden, or no such verb) is passed over. Default false. */
  readonly optional?: boolean;
}

/** The children, as metadata, of the kinds that are watched. */
export interface ChildCaches extends LiveObjects {
  /** Watches these kinds from now on; returns when their caches are in step. A kind that nobody serves is passed over. Throws NotInStepError, or why one cannot be watched. */
  ensure(types: readonly GroupVersionKind[], options?: EnsureKindsOptions): Promise<void>;
  beginWrite(ref: ObjectRef): PendingWrite;
}

/** The templates that serve now. `refusal` says why a newer bundle was refused (or why there is none at all). */
export interface BundleState {
  readonly bundle: Bundle | undefined;
  readonly refusal: string | undefined;
}

/** Everything that a reconcile needs. */
export interface World {
  readonly identity: Identity;
  /** Endpoint of the instances. */
  readonly resource: Resource;
  readonly client: KubeClient;
  readonly mapper: RestMapper;
  readonly instances: InstanceCache;
  readonly children: ChildCaches;
  readonly records: RecordStore;
  readonly bundle: () => BundleState;
  readonly renderer: Renderer;
  readonly status: StatusWriter;
  readonly events: EventRecorder;
  readonly log: Logger;
  readonly now: () => Date;
}

/** An instance in a round: as it was read, and what its UID and generation are. */
export interface Instance {
  readonly object: KubeObject;
  readonly text: string;
  readonly ref: ObjectRef;
  readonly uid: string;
  readonly request: Request;
}
