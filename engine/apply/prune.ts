/**
 * Deletes what an instance owns and no longer wants: each by its UID, so that a namesake of somebody else is never touched.
 *
 * Used by the round (what is no longer rendered) and by the teardown (everything). Errors are collected, not thrown: one object that
 * will not go does not keep the others.
 */
import { ConflictError, NotFoundError, NotServedError, type Resource, type RestMapper } from "../kube/mod.ts";
import { type Change, type ChangeSet, formatRef, type KubeObject, type ObjectRef } from "../meta/mod.ts";
import { isOurs, type Ownership } from "./ownership.ts";
import type { PruneStep } from "./plan.ts";
import { trackedDelete, type TrackedWrites } from "./tracked.ts";

/** What deleting needs. */
export interface PruneContext extends TrackedWrites {
  readonly ownership: Ownership;
  readonly mapper: RestMapper;
  readonly live: (ref: ObjectRef) => KubeObject | undefined;
  /** Asked before each delete: false ends it (the process stops). */
  readonly proceed: () => boolean;
}

/** Reason of a change that left an object alone, since it is not ours (any more). */
export const NOT_OURS = "NotOurs";

/** What deleting came to. */
export interface PruneOutcome {
  readonly changes: ChangeSet;
  /** UIDs of what is gone for good, or not ours any more. */
  readonly gone: ReadonlySet<string>;
}

/**
 * Deletes in the order of the steps. `oneByOne`: each has to be gone before the next is touched, so it ends at the first that is not (finalizers, a
 * namespace with content); the caller comes again. Never throws for what the API server answers.
 */
export async function prune(
  steps: readonly PruneStep[],
  context: PruneContext,
  { oneByOne = false }: { readonly oneByOne?: boolean } = {},
): Promise<PruneOutcome> {
  const changes: Change[] = [];
  const gone = new Set<string>();
  for (const step of steps) {
    if (!context.proceed()) break;
    const change = await deleteOne(step, context);
    changes.push(change);
    if (change.action === "deleted" || change.reason === NOT_OURS) gone.add(step.uid);
    else if (oneByOne) break;
  }
  return { changes, gone };
}

async function deleteOne(step: PruneStep, context: PruneContext): Promise<Change> {
  let resource: Resource | undefined;
  try {
    // Not only in the version that it was made in: that one may be served no more while the object lives on in another.
    resource = await context.mapper.servedAs(step.ref);
  } catch (error) {
    return failed(step, error);
  }
  // The kind is served no more: its objects went with its CRD.
  if (resource === undefined) return gone(step);
  const started = performance.now();
  try {
    const change = await deleteAlive(step, resource, context);
    return { ...change, durationMs: performance.now() - started };
  } catch (error) {
    if (error instanceof NotFoundError) return gone(step);
    if (error instanceof ConflictError) return await afterConflict(step, resource, error, context);
    // The endpoint went, not the object: the next try looks for it anew.
    if (error instanceof NotServedError) context.mapper.invalidate();
    return failed(step, error);
  }
}

/**
 * A conflict is either our precondition (another UID holds the name now: ours is gone, and that one is not ours), or an admission webhook that will not have
 * it deleted. Only a look tells.
 */
async function afterConflict(
  step: PruneStep,
  resource: Resource,
  conflict: ConflictError,
  { client }: PruneContext,
): Promise<Change> {
  try {
    const { object } = await client.get(resource, step.ref);
    return object.metadata.uid === step.uid ? failed(step, conflict) : gone(step);
  } catch (error) {
    return error instanceof NotFoundError ? gone(step) : failed(step, error);
  }
}

/** A cache knows what carries our label; whatever else the record names is looked at before it is touched. */
async function deleteAlive(step: PruneStep, resource: Resource, context: PruneContext): Promise<Change> {
  const { ref, uid } = step;
  const live = context.live(ref) ?? (await context.client.get(resource, ref)).object;
  if (live.metadata.uid !== uid) return gone(step);
  if (!isOurs(live, context.ownership, uid)) {
    const message = `${formatRef(ref)} is not ours (any more): left alone`;
    return changeFor(step, "skipped", { reason: NOT_OURS, message });
  }
  if (live.metadata.deletionTimestamp !== undefined) return going(step, live);
  return await trackedDelete(step, resource, context) === "gone" ? gone(step) : going(step, undefined);
}

function changeFor(
  { ref, template }: PruneStep,
  action: Change["action"],
  more: Partial<Change> = {},
): Change {
  return { ref, action, ...(template === undefined ? {} : { template }), ...more };
}

function gone(step: PruneStep): Change {
  return changeFor(step, "deleted");
}

function going(step: PruneStep, live: KubeObject | undefined): Change {
  const since = live?.metadata.deletionTimestamp;
  const finalizers = live?.metadata.finalizers ?? [];
  const held = finalizers.length > 0 ? `, held by finalizer ${finalizers.join(", ")}` : "";
  const message = `${formatRef(step.ref)} is being deleted${
    since === undefined ? "" : ` since ${since}`
  }${held}`;
  return changeFor(step, "skipped", { reason: "Terminating", message });
}

function failed(step: PruneStep, error: unknown): Change {
  if (!(error instanceof Error)) throw error;
  const message = `Delete of ${formatRef(step.ref)}: ${error.message}`;
  return changeFor(step, "failed", { reason: error.name, message });
}
