/**
 * Writes that the caches hear of: announced before the request, ended with its answer, whatever that is. A cache then answers with the result before
 * its watch has seen it, and a round never decides on what was before its own writes.
 */
import type { KubeClient, Resource } from "../kube/mod.ts";
import type { KubeObject, ObjectRef } from "../meta/mod.ts";

/** A write under way. Exactly one of the three is called, once. */
export interface PendingWrite {
  done(object: KubeObject): void;
  gone(): void;
  failed(): void;
}

/** What a tracked write needs. */
export interface TrackedWrites {
  readonly client: KubeClient;
  /** Announces a write to the cache of that kind. */
  readonly beginWrite: (ref: ObjectRef) => PendingWrite;
}

/** Sends a request that makes or changes an object. Throws what it throws. */
export async function trackedApply(
  ref: ObjectRef,
  { beginWrite }: TrackedWrites,
  request: () => Promise<KubeObject>,
): Promise<KubeObject> {
  const pending = beginWrite(ref);
  try {
    const live = await request();
    pending.done(live);
    return live;
  } catch (error) {
    pending.failed();
    throw error;
  }
}

/** Deletes this very object. Says whether it is gone already, or still there for a while. Throws ApiError. */
export async function trackedDelete(
  { ref, uid }: { readonly ref: ObjectRef; readonly uid: string },
  resource: Resource,
  { client, beginWrite }: TrackedWrites,
): Promise<"gone" | "deleting"> {
  const pending = beginWrite(ref);
  try {
    const left = await client.delete(resource, ref, { uid, propagation: "Background" });
    if (left === "gone") pending.gone();
    else pending.failed();
    return left;
  } catch (error) {
    pending.failed();
    throw error;
  }
}
