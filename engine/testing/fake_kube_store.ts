/**
 * The memory of the fake API server: objects by type and name, one growing resourceVersion, and a log of changes that watches read.
 */
import {
  groupKindOf,
  isBeingDeleted,
  isKubeObject,
  type KubeObject,
  type ObjectRef,
  refKey,
  refOf,
} from "../meta/mod.ts";
import { GoneError, type Resource, type WatchEvent, type WatchOptions } from "../kube/mod.ts";
import type { Draft } from "./fake_kube_fields.ts";
import { covers, type FakeChange, metadataOnly, seenThrough } from "./fake_kube_selection.ts";

/** Objects and what happened to them. */
export class FakeStore {
  readonly #objects = new Map<string, KubeObject>();
  readonly #log: FakeChange[] = [];
  readonly #wake = new Set<() => void>();
  #version = 1;
  #compactedBelow = 0;
  #bookmarks = 0;
  #ends = 0;

  get resourceVersion(): string {
    return String(this.#version);
  }

  get(ref: ObjectRef): KubeObject | undefined {
    return this.#objects.get(refKey(ref));
  }

  all(resource: Pick<Resource, "group" | "kind">): readonly KubeObject[] {
    const prefix = `${groupKindOf(resource)}/`;
    return [...this.#objects].filter(([key]) => key.startsWith(prefix)).map(([, object]) => object);
  }

  everything(): readonly KubeObject[] {
    return [...this.#objects.values()];
  }

  /** Stores an object under a new resourceVersion; one whose last finalizer went while it is being deleted is removed instead. */
  put(draft: Draft): KubeObject {
    const version = this.#version + 1;
    const stored: unknown = {
      ...draft,
      metadata: { ...Object(draft.metadata), resourceVersion: String(version) },
    };
    if (!isKubeObject(stored)) throw new TypeError("The fake API server was given what is no object");
    if (isBeingDeleted(stored) && (stored.metadata.finalizers ?? []).length === 0) return this.remove(stored);
    this.#version = version;
    const before = this.get(refOf(stored));
    this.#objects.set(refKey(refOf(stored)), stored);
    this.#tell({
      typeKey: groupKindOf(refOf(stored)),
      after: stored,
      ...(before === undefined ? {} : { before }),
    });
    return stored;
  }

  /** Removes an object at once; its last state, under a new resourceVersion. */
  remove(object: KubeObject): KubeObject {
    this.#version++;
    const before = this.get(refOf(object)) ?? object;
    const last = { ...object, metadata: { ...object.metadata, resourceVersion: this.resourceVersion } };
    this.#objects.delete(refKey(refOf(object)));
    this.#tell({ typeKey: groupKindOf(refOf(object)), before, last });
    return last;
  }

  #tell(change: Omit<FakeChange, "resourceVersion">): void {
    this.#log.push({ ...change, resourceVersion: this.#version });
    this.#wakeAll();
  }

  /** Every watch gets a bookmark. */
  sendBookmarks(): void {
    this.#bookmarks++;
    this.#wakeAll();
  }

  /** The server ends every watch that is open. */
  endWatches(): void {
    this.#ends++;
    this.#wakeAll();
  }

  /** Forgets the past: a watch from a resourceVersion before now is answered with 410. */
  compact(): void {
    this.#version++;
    this.#compactedBelow = this.#version;
  }

  #wakeAll(): void {
    for (const wake of this.#wake) wake();
    this.#wake.clear();
  }

  /** The events of a selection from a resourceVersion on. */
  async *watch(resource: Resource, options: WatchOptions): AsyncGenerator<WatchEvent, void> {
    const ends = this.#ends;
    let bookmarks = this.#bookmarks;
    let seen = this.#version;
    if (options.sendInitialEvents || !Number(options.resourceVersion ?? 0)) {
      for (const object of this.all(resource)) {
        if (covers(options, object)) yield eventOf("ADDED", object, options);
      }
      if (options.sendInitialEvents) yield bookmarkAt(seen, true);
    } else {
      seen = Number(options.resourceVersion);
      if (seen < this.#compactedBelow) {
        const message = `Watch of ${groupKindOf(resource)} was refused: too old resource version: ${seen}`;
        throw new GoneError(message, { code: 410, reason: "Expired" });
      }
    }
    while (!options.signal.aborted && this.#ends === ends) {
      for (const change of this.#log.filter((entry) => entry.resourceVersion > seen)) {
        seen = change.resourceVersion;
        const event = change.typeKey === groupKindOf(resource) ? seenThrough(options, change) : undefined;
        if (event !== undefined) yield eventOf(event.type, event.object, options);
        if (options.signal.aborted) return;
      }
      if (this.#bookmarks !== bookmarks) {
        bookmarks = this.#bookmarks;
        yield bookmarkAt(this.#version, false);
      } else if (!this.#log.some((entry) => entry.resourceVersion > seen)) await this.#change(options.signal);
    }
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener("abort", wake);
        this.#wake.delete(wake);
        resolve();
      };
      this.#wake.add(wake);
      signal.addEventListener("abort", wake, { once: true });
    });
  }
}

function eventOf(
  type: "ADDED" | "MODIFIED" | "DELETED",
  object: KubeObject,
  options: WatchOptions,
): WatchEvent {
  if (options.metadataOnly) return { type, object: metadataOnly(object), text: "" };
  return { type, object, text: JSON.stringify(object) };
}

function bookmarkAt(version: number, initialEventsEnd: boolean): WatchEvent {
  return { type: "BOOKMARK", resourceVersion: String(version), initialEventsEnd };
}
