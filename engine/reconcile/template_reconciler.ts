/**
 * The one story: an instance becomes objects, is kept so, and is taken back.
 *
 * 1. being deleted? tear down from the inventory   2. values and templates are rendered, all of them, before any write
 * 3. plan against record and caches   4. intent on the instance   5. apply in order   6. prune, only after a complete apply
 * 7. record, one write at most   8. status and Events, only what changed.
 * Level-based: what the caches hold decides, never which event came. What fails is retried by the queue's back-off, nowhere else.
 */
import {
  type ApplyOutcome,
  applySteps,
  type Desired,
  makePlan,
  type Plan,
  pruneOne,
  resolveDesired,
  type Unresolved,
} from "../apply/mod.ts";
import type { Bundle } from "../implementation/mod.ts";
import {
  type Change,
  type ChangeSet,
  type GroupVersionKind,
  gvkOf,
  isBeingDeleted,
  type JsonObject,
  refKey,
} from "../meta/mod.ts";
import { RenderError } from "../render/mod.ts";
import { failuresText, type Outcome } from "../report/mod.ts";
import { emptyRecord, type InstanceRecord } from "../revision/mod.ts";
import { recordIntent } from "./intent.ts";
import type { Reconciler, Request, Result } from "./reconciler.ts";
import { type RenderedRound, renderRound } from "./rendering.ts";
import { reportChanges, reportOutcome, shownObject } from "./reporting.ts";
import { instanceOf, makeOwnership, ownedKinds, recordOwner } from "./round.ts";
import { tearDown } from "./teardown.ts";
import type { Instance, World } from "./world.ts";

/** Pause before a kind that nobody serves is looked for again, in milliseconds. */
const UNKNOWN_KIND_MS = 2_000;
/** Pause before something foreign, or something that is waited for, is looked at again even if no watch wakes us. */
const RECHECK_MS = 10_000;

/** Reconciles instances of one CRD from one implementation's templates. */
export class TemplateReconciler implements Reconciler {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** See the file's head. Throws what is worth a retry. */
  async reconcile(request: Request, signal: AbortSignal): Promise<Result> {
    const world = this.#world;
    const read = world.instances.read(request);
    if (read === undefined) return {};
    const instance = instanceOf(request, read.object, read.text);
    const record = world.records.load(recordOwner(instance, world))?.record;
    if (isBeingDeleted(instance.object)) return await tearDown(instance, record, world, signal);
    return await this.#bringUp(instance, record ?? emptyRecord(instance.uid), signal);
  }

  async #bringUp(read: Instance, record: InstanceRecord, signal: AbortSignal): Promise<Result> {
    const world = this.#world;
    let instance = read;
    const { bundle, refusal } = world.bundle();
    if (bundle === undefined) {
      const message = refusal ?? "The implementation is not loaded yet";
      return await this.#stall(instance, record, "BundleRefused", message);
    }
    let round: RenderedRound;
    try {
      round = await renderRound(instance, record, bundle, world);
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      return await this.#stall(instance, record, "RenderFailed", error.message);
    }
    const ownership = makeOwnership(instance, world.identity);
    const { manifests, namespaces } = round.rendered;
    const { desired, unresolved } = await resolveDesired(manifests, {
      mapper: world.mapper,
      ownership,
      namespaces,
    });
    if (unresolved.length > 0) return await this.#hold(instance, record, unresolved);

    const kinds = [
      ...ownedKinds(instance, record.inventory, world.identity),
      ...manifests.map((manifest) => gvkOf(manifest.object)),
    ];
    try {
      await world.children.ensure(kinds);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      await this.#keepStatus(instance, record, {
        kind: "failed",
        reason: "WatchFailed",
        message: error.message,
      });
      return { retry: true };
    }
    const plan = makePlan(desired, { inventory: record.inventory, live: world.children, ownership });
    if (hasEffects(plan)) instance = await recordIntent(instance, intendedOf(desired, record), world);
    const applied = await applySteps(plan.apply, {
      client: world.client,
      ownership,
      beginWrite: (ref) => world.children.beginWrite(ref),
      ownerExists: (uid) => world.instances.existsUid(uid),
      proceed: () => !signal.aborted && this.#isStillWanted(read),
      inventory: record.inventory,
    });
    const pruned = applied.complete ? await this.#prune(plan) : { changes: [], gone: new Set<string>() };
    const changes = [...applied.changes, ...pruned.changes];
    const inventory = applied.inventory.filter((entry) => !pruned.gone.has(entry.uid));
    reportChanges(instance, changes, world);
    if (!this.#isStillWanted(instance)) return {};
    await this.#remember(instance, { ...round.record, inventory }, { round, bundle, changes });
    const printed = await this.#printStatus(bundle, round, changes);
    const outcome = outcomeOf(applied, changes);
    await reportOutcome(instance, { outcome, revision: round.record.revision, changes, printed }, world);
    return nextLook(outcome, applied, changes);
  }

  /** A fault that only a change can heal: said, and left at that. Nothing is written but the status. */
  async #stall(instance: Instance, record: InstanceRecord, reason: string, message: string): Promise<Result> {
    await this.#keepStatus(instance, record, { kind: "stalled", reason, message });
    return {};
  }

  /** Kinds that are not served, namespaces that are not ours: nothing of the render is applied. */
  async #hold(
    instance: Instance,
    record: InstanceRecord,
    unresolved: readonly Unresolved[],
  ): Promise<Result> {
    const message = unresolved.map((one) => one.message).join("; ");
    const foreign = unresolved.find((one) => one.reason !== "UnknownKind");
    if (foreign !== undefined) return await this.#stall(instance, record, foreign.reason, message);
    await this.#keepStatus(instance, record, { kind: "waiting", reason: "UnknownKind", message });
    return { requeueAfterMs: UNKNOWN_KIND_MS };
  }

  async #keepStatus(instance: Instance, record: InstanceRecord, outcome: Outcome): Promise<void> {
    const changes: ChangeSet = record.inventory.map(({ ref }) => ({ ref, action: "unchanged" as const }));
    await reportOutcome(
      instance,
      { outcome, revision: record.revision, changes, printed: undefined },
      this.#world,
    );
  }

  /** False once the instance is being deleted, or another one holds its name. */
  #isStillWanted(instance: Instance): boolean {
    const now = this.#world.instances.read(instance.request)?.object;
    return now !== undefined && now.metadata.uid === instance.uid && !isBeingDeleted(now);
  }

  async #prune(
    plan: Plan,
  ): Promise<{ readonly changes: readonly Change[]; readonly gone: ReadonlySet<string> }> {
    const { client, mapper, children } = this.#world;
    const changes: Change[] = [];
    const gone = new Set<string>();
    for (const step of plan.prune) {
      const result = await pruneOne(step, {
        client,
        mapper,
        beginWrite: (ref) => children.beginWrite(ref),
        live: (ref) => children.get(ref),
      });
      changes.push(result.change);
      if (result.left === "gone") gone.add(step.uid);
    }
    return { changes, gone };
  }

  async #remember(
    instance: Instance,
    record: InstanceRecord,
    { round, bundle, changes }: {
      readonly round: RenderedRound;
      readonly bundle: Bundle;
      readonly changes: ChangeSet;
    },
  ): Promise<void> {
    const complete = changes.every((change) => change.action !== "failed" && change.action !== "skipped");
    const result = complete ? "complete" : failuresText(changes) || "under way";
    const entry = record.history.at(-1);
    const history = entry === undefined || entry.result === result
      ? record.history
      : [...record.history.slice(0, -1), {
        ...entry,
        result,
        counts: entry.result === "" ? countsOf(changes) : entry.counts,
      }];
    const { limit } = bundle.implementation.history;
    await this.#world.records.save(recordOwner(instance, this.#world), {
      ...record,
      history,
      previous: complete ? round.rendered.values : record.previous,
    }, { name: round.rendered.historyName, limit });
  }

  async #printStatus(bundle: Bundle, round: RenderedRound, changes: ChangeSet): Promise<JsonObject> {
    if (bundle.implementation.status === undefined) return {};
    const failed = changes.filter((change) => change.action === "failed");
    const alive = changes.filter((change) => change.action !== "deleted" && change.action !== "failed");
    const result: JsonObject = {
      ready: changes.every((change) => change.action !== "failed" && change.action !== "skipped"),
      message: failuresText(changes),
      objects: alive.map((change) => ({ ...shownObject(change), applied: change.action !== "skipped" })),
      failed: failed.map((change) => ({
        ...shownObject(change),
        reason: change.reason ?? "",
        message: change.message ?? "",
      })),
    };
    try {
      return await this.#world.renderer.renderStatus({ ...round.request, result });
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      this.#world.log.warn(`The status template failed: ${error.message}`);
      return {};
    }
  }
}

/** The kinds that the instance may own from now on: the new ones, and the old ones until they are pruned. */
function intendedOf(desired: readonly Desired[], record: InstanceRecord): readonly GroupVersionKind[] {
  const applied = desired.filter((one) => one.manifest.action === "apply");
  return [...applied.map((one) => one.ref), ...record.inventory.map((entry) => entry.ref)];
}

function hasEffects(plan: Plan): boolean {
  return plan.prune.length > 0 || plan.apply.some((step) => step.kind !== "unchanged");
}

function countsOf(changes: ChangeSet): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { action } of changes) counts[action] = (counts[action] ?? 0) + 1;
  return counts;
}

function outcomeOf(applied: ApplyOutcome, changes: ChangeSet): Outcome {
  const failed = changes.filter((change) => change.action === "failed");
  const first = failed[0];
  if (first !== undefined) {
    const reason = failed.every((change) => change.reason === "NotOwned") ? "NotOwned" : "ApplyFailed";
    return { kind: "failed", reason, message: failuresText(changes) };
  }
  if (applied.waitingFor !== undefined) {
    return { kind: "waiting", reason: "Waiting", message: `Waits for ${applied.waitingFor}` };
  }
  const skipped = changes.find((change) => change.action === "skipped");
  if (skipped !== undefined) {
    return {
      kind: "waiting",
      reason: skipped.reason ?? "Waiting",
      message: skipped.message ?? refKey(skipped.ref),
    };
  }
  return { kind: "applied", objects: applied.changes.length };
}

function nextLook(outcome: Outcome, applied: ApplyOutcome, changes: ChangeSet): Result {
  if (outcome.kind === "applied") return {};
  const pause = applied.retryAfterMs === undefined ? {} : { requeueAfterMs: applied.retryAfterMs };
  if (outcome.kind === "failed") {
    return outcome.reason === "NotOwned" ? { requeueAfterMs: RECHECK_MS } : { retry: true, ...pause };
  }
  const short = changes.some((change) => change.reason === "WaitingForKind" || change.reason === "Replacing");
  return { requeueAfterMs: short ? 1_000 : RECHECK_MS };
}
