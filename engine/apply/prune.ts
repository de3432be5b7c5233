/**
 * Deletes what an instance owns and no longer wants: each by its UID, so that a namesake of somebody else is never touched.
 *
 * Used by the round (what is no longer rendered) and by the teardown (everything). Errors are collected, not thrown: one object that
 * will not go does not keep the others.
 */
import {
  ConflictError,
  type KubeClient,
  NoMatchError,
  NotFoundError,
  type Resource,
  type RestMapper,
} from "../kube/mod.ts";
import { type Change, formatRef, type KubeObject, type ObjectRef } from "../meta/mod.ts";
import type { PendingWrite } from "./apply.ts";
import type { PruneStep } from "./plan.ts";

/** What deleting needs. */
export interface PruneContext {
  readonly client: KubeClient;
  readonly mapper: RestMapper;
  readonly beginWrite: (ref: ObjectRef) => PendingWrite;
  readonly live: (ref: ObjectRef) => KubeObject | undefined;
}

/** How a delete ended: `gone` for good, `going` (finalizers, a namespace with content), or `failed`. */
export interface PruneResult {
  readonly step: PruneStep;
  readonly left: "gone" | "going" | "failed";
  readonly change: Change;
}

/** Deletes one object. Never throws for what the API server answers. */
export async function pruneOne(step: PruneStep, context: PruneContext): Promise<PruneResult> {
  const { ref, uid } = step;
  const live = context.live(ref);
  if (live?.metadata.uid === uid && live.metadata.deletionTimestamp !== undefined) return going(step, live);
  let resource: Resource;
  try {
    resource = await context.mapper.resourceFor(ref);
  } catch (error) {
    // The kind is served no more: its objects went with its CRD.
    if (error instanceof NoMatchError) return gone(step);
    return failed(step, error);
  }
  const started = performance.now();
  const pending = context.beginWrite(ref);
  try {
    const left = await context.client.delete(resource, ref, { uid, propagation: "Background" });
    if (left === "gone") pending.gone();
    else pending.failed();
    const result = left === "gone" ? gone(step) : going(step, undefined);
    return { ...result, change: { ...result.change, durationMs: performance.now() - started } };
  } catch (error) {
    pending.failed();
    // Another UID holds the name now: ours is gone, and that one is not ours.
    if (error instanceof NotFoundError || error instanceof ConflictError) return gone(step);
    return failed(step, error);
  }
}

function changeFor(
  { ref, template }: PruneStep,
  action: Change["action"],
  more: Partial<Change> = {},
): Change {
  return { ref, action, ...(template === undefined ? {} : { template }), ...more };
}

function gone(step: PruneStep): PruneResult {
  return { step, left: "gone", change: changeFor(step, "deleted") };
}

function going(step: PruneStep, live: KubeObject | undefined): PruneResult {
  const since = live?.metadata.deletionTimestamp;
  const finalizers = live?.metadata.finalizers ?? [];
  const held = finalizers.length > 0 ? `, held by finalizer ${finalizers.join(", ")}` : "";
  const message = `${formatRef(step.ref)} is being deleted${
    since === undefined ? "" : ` since ${since}`
  }${held}`;
  return { step, left: "going", change: changeFor(step, "skipped", { reason: "Terminating", message }) };
}

function failed(step: PruneStep, error: unknown): PruneResult {
  if (!(error instanceof Error)) throw error;
  const message = `Delete of ${formatRef(step.ref)}: ${error.message}`;
  return { step, left: "failed", change: changeFor(step, "failed", { reason: error.name, message }) };
}
