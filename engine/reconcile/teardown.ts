/**
 * The end of an instance: everything it owns goes, in reverse order of its making, each by UID, each gone before the next; then the
 * history is closed, and last the finalizer comes off. Runs from the inventory, so broken or missing templates do not matter.
 */
import { ownedObjects, prune } from "../apply/mod.ts";
import type { Inventory } from "../meta/mod.ts";
import { type InstanceRecord, trimHistory } from "../revision/mod.ts";
import { releaseInstance } from "./intent.ts";
import { reportChanges, reportOutcome } from "./reporting.ts";
import type { Result } from "./reconciler.ts";
import { makeOwnership, ownedKinds, pruneContext, recordOwner } from "./round.ts";
import type { Instance, World } from "./world.ts";

/** A blocked deletion is looked at again after this time even if no watch wakes us, in milliseconds. */
const RECHECK_MS = 30_000;

/** Deletes one after the other until one will not go at once; the watch of that one wakes the next round. */
export async function tearDown(
  instance: Instance,
  record: InstanceRecord | undefined,
  world: World,
  signal: AbortSignal,
): Promise<Result> {
  const ownership = makeOwnership(instance, world.identity);
  const inventory = record?.inventory ?? [];
  try {
    await world.children.ensure(ownedKinds(instance, inventory, world.identity));
  } catch (error) {
    if (signal.aborted || !(error instanceof Error)) throw error;
    const outcome = { kind: "failed", reason: "WatchFailed", message: `Deleting: ${error.message}` } as const;
    const revision = record?.revision ?? 0;
    await reportOutcome(instance, { outcome, revision, changes: [], printed: undefined }, world);
    return { retry: true };
  }

  const owned = ownedObjects(inventory, world.children, ownership);
  const kept = owned.filter((entry) => entry.keep === "always");
  const leaving = owned.filter((entry) => entry.keep !== "always");
  const steps = leaving.map(({ ref, uid }) => ({ ref, uid })).reverse();
  const { changes, gone } = await prune(steps, pruneContext(world, signal), { oneByOne: true });
  reportChanges(instance, changes, world);

  const blocked = changes.find((change) => change.action !== "deleted");
  const remaining = leaving.filter((entry) => !gone.has(entry.uid));
  if (blocked !== undefined) {
    if (gone.size > 0) await keepRest(instance, record, [...kept, ...remaining], world);
    const message = `Deleting, ${remaining.length} objects left: ${blocked.message ?? blocked.reason}`;
    const failed = blocked.action === "failed";
    await reportOutcome(instance, {
      outcome: { kind: failed ? "failed" : "waiting", reason: "Deleting", message },
      revision: record?.revision ?? 0,
      changes,
      printed: undefined,
    }, world);
    return failed ? { retry: true } : { requeueAfterMs: RECHECK_MS };
  }
  if (remaining.length > 0) return {};
  if (record !== undefined) await closeRecord(instance, { ...record, inventory: kept }, world);
  await releaseInstance(instance, world);
  world.status.forget(instance.uid);
  return {};
}

/** What is gone is not deleted again in the next round. */
async function keepRest(
  instance: Instance,
  record: InstanceRecord | undefined,
  inventory: Inventory,
  world: World,
): Promise<void> {
  if (record === undefined) return;
  const limit = historyLimit(world);
  await world.records.save(recordOwner(instance, world), { ...record, inventory }, {
    name: undefined,
    limit,
  });
}

function historyLimit(world: World): number {
  return world.bundle().bundle?.implementation.history.limit ?? 100;
}

async function closeRecord(instance: Instance, record: InstanceRecord, world: World): Promise<void> {
  const limit = historyLimit(world);
  const last = record.history.at(-1);
  const closed = last?.cause === "deleted" && last.generation === (instance.object.metadata.generation ?? 0);
  const history = closed ? record.history : trimHistory([...record.history, {
    revision: record.revision,
    time: world.now().toISOString().replace(/\.\d+Z$/, "Z"),
    generation: instance.object.metadata.generation ?? 0,
    cause: "deleted",
    by: [],
    changes: [],
    bundle: record.bundleDigest,
    outcome: record.outcomeDigest,
    counts: {},
    result: "all that it owned is gone",
  }], limit);
  await world.records.save(recordOwner(instance, world), { ...record, history }, { name: undefined, limit });
}
