/**
 * The end of an instance: everything it owns goes, in reverse order of its making, each by UID, each gone before the next; then the
 * history is closed, and last the finalizer comes off. Runs from the inventory, so broken or missing templates do not matter; and a record
 * that can never be saved does not hold the finalizer for ever.
 */
import { NOT_OURS, ownedObjects, prune } from "../apply/mod.ts";
import { AlreadyExistsError, ApiError, InvalidError, NotFoundError } from "../kube/mod.ts";
import {
  type Change,
  type ChangeSet,
  formatRef,
  formatTime,
  type Inventory,
  typeMetaOf,
} from "../meta/mod.ts";
import type { Outcome } from "../report/mod.ts";
import type { InstanceRecord } from "../revision/mod.ts";
import { releaseInstance } from "./intent.ts";
import { reportChanges, reportOutcome } from "./reporting.ts";
import type { Request, Result } from "./reconciler.ts";
import { ensureOwnedKinds, instanceOf, makeOwnership, pruneContext, recordOwner } from "./round.ts";
import type { Instance, World } from "./world.ts";

/** A blocked deletion is looked at again after this time even if no watch wakes us, in milliseconds. */
const RECHECK_MS = 30_000;
/** HTTP status of a request that the API server does not read to its end. */
const TOO_LARGE = 413;

/** Deletes one after the other until one will not go at once; the watch of that one wakes the next round. */
export async function tearDown(
  instance: Instance,
  record: InstanceRecord | undefined,
  world: World,
  signal: AbortSignal,
): Promise<Result> {
  const report = async (outcome: Outcome, changes: ChangeSet) => {
    await reportOutcome(
      instance,
      { outcome, revision: record?.revision ?? 0, changes, printed: undefined },
      world,
    );
  };
  let removal: Removal;
  try {
    removal = await removeOwned(instance, record, world, signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof Error)) throw error;
    await report({ kind: "failed", reason: "WatchFailed", message: `Deleting: ${error.message}` }, []);
    return { retry: true };
  }
  const { blocked, remaining, kept, changes } = removal;
  if (blocked !== undefined) {
    if (record !== undefined) await save(instance, { ...record, inventory: [...kept, ...remaining] }, world);
    const failed = blocked.action === "failed";
    const message = `Deleting, ${remaining.length} objects left: ${blocked.message ?? blocked.reason}`;
    await report({ kind: failed ? "failed" : "waiting", reason: "Deleting", message }, changes);
    return failed ? { retry: true } : { requeueAfterMs: RECHECK_MS };
  }
  if (remaining.length > 0) return {};
  if (record !== undefined) await closeRecord(instance, { ...record, inventory: kept }, world);
  await releaseInstance(instance, world);
  world.status.forget(instance.uid);
  return {};
}

/**
 * An instance that went without us (its finalizer was taken off while nobody looked): what its record names is taken back all the same. The API server is
 * asked first whether it is really gone: a cache alone is no reason to delete.
 */
export async function sweepUp(request: Request, world: World, signal: AbortSignal): Promise<Result> {
  const { resource, records } = world;
  const metadata = {
    name: request.name,
    ...(request.namespace === undefined ? {} : { namespace: request.namespace }),
  };
  const gone = instanceOf(request, { ...typeMetaOf(resource), metadata }, "");
  const record = records.load(recordOwner(gone, world))?.record;
  if (record === undefined || record.inventory.every((entry) => entry.keep === "always")) return {};
  try {
    await world.client.get(resource, gone.ref);
    return { requeueAfterMs: RECHECK_MS };
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
  const instance = { ...gone, uid: record.uid };
  const { blocked, remaining, kept } = await removeOwned(instance, record, world, signal);
  if (remaining.length === 0) {
    await closeRecord(instance, { ...record, inventory: kept }, world);
    return {};
  }
  await save(instance, { ...record, inventory: [...kept, ...remaining] }, world);
  return blocked?.action === "failed" ? { retry: true } : { requeueAfterMs: RECHECK_MS };
}

interface Removal {
  readonly changes: ChangeSet;
  /** Stays for good (`_keep: true`). */
  readonly kept: Inventory;
  /** Still to go. */
  readonly remaining: Inventory;
  /** What would not go at once. */
  readonly blocked: Change | undefined;
}

async function removeOwned(
  instance: Instance,
  record: InstanceRecord | undefined,
  world: World,
  signal: AbortSignal,
): Promise<Removal> {
  const ownership = makeOwnership(instance, world.identity);
  const inventory = record?.inventory ?? [];
  await ensureOwnedKinds(instance, inventory.map((entry) => entry.ref), world);
  const owned = ownedObjects(inventory, world.children, ownership);
  const leaving = owned.filter((entry) => entry.keep !== "always");
  const steps = leaving.map(({ ref, uid }) => ({ ref, uid })).reverse();
  const { changes, gone } = await prune(steps, pruneContext(ownership, world, signal), { oneByOne: true });
  reportChanges(instance, changes, world);
  return {
    changes,
    kept: owned.filter((entry) => entry.keep === "always"),
    remaining: leaving.filter((entry) => !gone.has(entry.uid)),
    blocked: changes.find(({ action, reason }) => action !== "deleted" && reason !== NOT_OURS),
  };
}

/**
 * What is gone is not deleted again in the next round. A record that no later try could save either is given up with a warning: what it
 * would have told is worth less than an instance that can never go. Throws what is worth a retry.
 */
async function save(instance: Instance, record: InstanceRecord, world: World): Promise<void> {
  const limit = world.bundle().bundle?.implementation.history.limit ?? 100;
  try {
    await world.records.save(recordOwner(instance, world), record, { name: undefined, limit });
  } catch (error) {
    if (!isHopeless(error)) throw error;
    world.log.warn(`The record could not be saved, and the deletion goes on without: ${error.message}`, {
      owner: formatRef(instance.ref),
    });
  }
}

/** Refusals of what we send, and records that cannot be worked with. A conflict, a missing right or no answer can heal by itself. */
function isHopeless(error: unknown): error is Error {
  return error instanceof NotFoundError || error instanceof AlreadyExistsError ||
    error instanceof InvalidError || (error instanceof ApiError && error.code === TOO_LARGE) ||
    error instanceof TypeError || error instanceof RangeError;
}

/** The last entry of the history, unless it is there, or the record is of an instance before this one: then there is nothing to close. */
async function closeRecord(instance: Instance, record: InstanceRecord, world: World): Promise<void> {
  const isClosed = record.uid !== instance.uid || record.history.at(-1)?.cause === "deleted";
  const history: InstanceRecord["history"] = isClosed ? record.history : [...record.history, {
    revision: record.revision,
    time: formatTime(world.now()),
    generation: instance.object.metadata.generation ?? 0,
    cause: "deleted",
    by: [],
    changes: [],
    bundle: record.bundleDigest,
    outcome: record.outcomeDigest,
    counts: {},
    result: "all that it owned is gone",
  }];
  await save(instance, { ...record, history }, world);
}
