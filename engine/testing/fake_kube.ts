/**
 * An API server in memory, for tests of what speaks to one: client and mapper over the same objects, with hooks to make it fail and
 * to say what it serves.
 *
 * Everything happens at once: no controllers, no admission, no schemas. A Namespace goes with its content in one step.
 */
import {
  apiVersionOf,
  groupKindOf,
  type GroupVersionKind,
  type KubeObject,
  type ObjectRef,
} from "../meta/mod.ts";
import { ApiError, type KubeClient, NoMatchError, type Resource, type RestMapper } from "../kube/mod.ts";
import { type FakeCall, FakeKubeClient } from "./fake_kube_client.ts";
import { FakeStore } from "./fake_kube_store.ts";

/** A fake API server. */
export class FakeKube {
  readonly client: KubeClient;
  readonly mapper: RestMapper;
  /** Every call so far, in order. */
  readonly calls: FakeCall[] = [];
  /** Throws to make a call fail, or waits to make it slow. Default: nothing. */
  intercept: (call: FakeCall) => Promise<void> | void = () => {};
  readonly #store = new FakeStore();
  readonly #served = new Map<string, Resource>();
  readonly #incomplete = new Set<string>();

  constructor(served: readonly Resource[] = []) {
    for (const resource of served) this.serve(resource);
    this.client = new FakeKubeClient(this.#store, {
      intercept: (call) => {
        this.calls.push(call);
        return this.intercept(call);
      },
    });
    this.mapper = {
      resourceFor: (type) => Promise.resolve().then(() => this.#resourceFor(type)),
      servedAs: (type) => Promise.resolve().then(() => this.#servedAs(type)),
      invalidate: () => {},
    };
  }

  /** From now on the mapper knows a resource (its CRD came). */
  serve(resource: Resource): void {
    this.#served.set(typeKey(resource), resource);
  }

  /** The mapper knows it no more. */
  withdraw(type: GroupVersionKind): void {
    this.#served.delete(typeKey(type));
  }

  /** Whoever serves a group does not answer (or does again): what it does not show may be there all the same. */
  setIncomplete(group: string, isIncomplete = true): void {
    if (isIncomplete) this.#incomplete.add(group);
    else this.#incomplete.delete(group);
  }

  /** The stored object, without a call. */
  stored(ref: ObjectRef): KubeObject | undefined {
    return this.#store.get(ref);
  }

  /** All stored objects. */
  objects(): readonly KubeObject[] {
    return this.#store.everything();
  }

  /** Calls that write. */
  writes(): readonly FakeCall[] {
    return this.calls.filter(({ verb }) => verb !== "get" && verb !== "list" && verb !== "watch");
  }

  /** Sends a bookmark to every watch. */
  sendBookmarks(): void {
    this.#store.sendBookmarks();
  }

  /** Ends every open watch, as the server does after `timeoutSeconds`. */
  endWatches(): void {
    this.#store.endWatches();
  }

  /** A watch from an older resourceVersion than now's gets a GoneError. */
  compact(): void {
    this.#store.compact();
  }

  #resourceFor(type: GroupVersionKind): Resource {
    const resource = this.#served.get(typeKey(type));
    if (resource !== undefined) return resource;
    throw new NoMatchError(
      `The API server serves no ${type.kind} of ${apiVersionOf(type)}; is its CRD installed?`,
    );
  }

  #servedAs(type: GroupVersionKind): Resource | undefined {
    const found = [...this.#served.values()].find((resource) => groupKindOf(resource) === groupKindOf(type));
    if (found !== undefined || !this.#incomplete.has(type.group)) return found;
    throw new ApiError(`Discovery of group ${type.group} is incomplete`, { code: 503 });
  }
}

function typeKey(type: GroupVersionKind): string {
  return `${apiVersionOf(type)} ${type.kind}`;
}
