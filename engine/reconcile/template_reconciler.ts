/**
 * The one story: an instance becomes objects, is kept so, and is taken back.
 *
 * 1. being deleted? tear down from the inventory   2. values and templates are rendered, all of them, before any write
 * 3. plan against record and caches   4. intent on the instance   5. apply in order   6. prune, only after a complete apply
 * 7. record, one write at most   8. status and Events, only what changed.
 * Level-based: what the caches hold decides, never which event came. What fails is retried by the queue's back-off, nowhere else.
 */
import { applySteps, makePlan, type Plan, prune, resolveDesired, type Unresolved } from "../apply/mod.ts";
import {
  AlreadyExistsError,
  type ApiError,
  ForbiddenError,
  InvalidError,
  NotFoundError,
} from "../kube/mod.ts";
import { type ChangeSet, formatRef, type GroupVersionKind, gvkOf, isBeingDeleted } from "../meta/mod.ts";
import { RenderError } from "../render/mod.ts";
import type { Outcome } from "../report/mod.ts";
import { emptyRecord, type InstanceRecord } from "../revision/mod.ts";
import { recordIntent } from "./intent.ts";
import { type Reconciler, type Request, requestKey, type Result } from "./reconciler.ts";
import { type RenderedRound, renderRound } from "./rendering.ts";
import { Restlessness } from "./restlessness.ts";
import { printStatus, remember } from "./remembering.ts";
import { isEffect, reportChanges, reportOutcome } from "./reporting.ts";
import { ensureOwnedKinds, instanceOf, makeOwnership, pruneContext, recordOwner } from "./round.ts";
import { inputsDigest, isAsLeft } from "./settled.ts";
import { sweepUp, tearDown } from "./teardown.ts";
import { nextLook, outcomeOf } from "./verdict.ts";
import { type Instance, NotInStepError, type World } from "./world.ts";

/** Pause before a kind that nobody serves is looked for again, in milliseconds. */
const UNKNOWN_KIND_MS = 2_000;

/** Pause while a cache is being filled, in milliseconds. */
const NOT_IN_STEP_MS = 500;

/** Reconciles instances of one CRD from one implementation's templates. */
export class TemplateReconciler implements Reconciler {
  readonly #world: World;
  /** UID → inputs of the last round that had nothing to do. */
  readonly #settled = new Map<string, string>();
  readonly #restless = new Restlessness();

  constructor(world: World) {
    this.#world = world;
  }

  /** See the file's head. Throws what is worth a retry. */
  async reconcile(request: Request, signal: AbortSignal): Promise<Result> {
    const world = this.#world;
    const read = world.instances.read(request);
    if (read === undefined) return await sweepUp(request, world, signal);
    const instance = instanceOf(request, read.object, read.text);
    const stored = world.records.load(recordOwner(instance, world));
    if (stored !== undefined && stored.damaged.length > 0) {
      const keys = stored.damaged.join(", ");
      world.log.warn(`The record cannot be read (${keys}) and is made anew from labels`, {
        owner: requestKey(request),
      });
    }
    if (isBeingDeleted(instance.object)) {
      this.#settled.delete(instance.uid);
      this.#restless.forget(instance.uid);
      return await tearDown(instance, stored?.record, world, signal);
    }
    const record = stored?.record ?? emptyRecord(instance.uid);
    try {
      return await this.#bringUp(instance, record, signal);
    } catch (error) {
      if (!isForPeople(error)) throw error;
      // Not about one object of the render, and nothing that time heals by itself: people have to see it.
      await this.#keepStatus(instance, record, {
        kind: "failed",
        reason: error.name,
        message: error.message,
      });
      throw error;
    }
  }

  async #bringUp(read: Instance, record: InstanceRecord, signal: AbortSignal): Promise<Result> {
    const world = this.#world;
    let instance = read;
    const { bundle, refusal } = world.bundle();
    if (bundle === undefined) {
      const message = refusal ?? "The implementation is not loaded yet";
      return await this.#stall(instance, record, "BundleRefused", message);
    }
    const cause = `${instance.object.metadata.generation}/${bundle.digest}`;
    const pause = this.#restless.pauseFor(instance.uid, cause, world.now());
    if (pause > 0) return { requeueAfterMs: pause };
    const ownership = makeOwnership(instance, world.identity);
    const inputs = inputsDigest(instance, record, world.bundle());
    if (this.#settled.get(instance.uid) === inputs && isAsLeft(record, world.children, ownership)) return {};
    let round: RenderedRound;
    try {
      round = await renderRound(instance, record, bundle, world);
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      return await this.#stall(instance, record, "RenderFailed", error.message);
    }
    const { manifests, namespaces } = round.rendered;
    const { desired, unresolved } = await resolveDesired(manifests, {
      mapper: world.mapper,
      ownership,
      namespaces,
    });
    if (unresolved.length > 0) return await this.#hold(instance, record, unresolved);

    const kinds = [
      ...record.inventory.map((entry) => entry.ref),
      ...manifests.map((manifest) => gvkOf(manifest.object)),
    ];
    try {
      await ensureOwnedKinds(instance, kinds, world);
    } catch (error) {
      if (error instanceof NotInStepError) return { requeueAfterMs: NOT_IN_STEP_MS };
      if (signal.aborted || !(error instanceof Error)) throw error;
      await this.#keepStatus(instance, record, {
        kind: "failed",
        reason: "WatchFailed",
        message: error.message,
      });
      return { retry: true };
    }
    const plan = makePlan(desired, { inventory: record.inventory, live: world.children, ownership });
    if (ownsAnything(plan, record)) instance = await recordIntent(instance, intendedOf(plan, record), world);
    const applied = await applySteps(plan.apply, {
      client: world.client,
      ownership,
      beginWrite: (ref) => world.children.beginWrite(ref),
      ownerExists: (uid) => world.instances.existsUid(uid),
      now: world.now,
      proceed: () => !signal.aborted && this.#isStillWanted(read),
      inventory: record.inventory,
    });
    const pruned = await prune(applied.complete ? plan.prune : [], pruneContext(ownership, world, signal));
    const changes = [...applied.changes, ...pruned.changes];
    const inventory = applied.inventory.filter((entry) => !pruned.gone.has(entry.uid));
    reportChanges(instance, changes, world);
    if (!this.#isStillWanted(instance)) return {};
    // Cut short before it did anything: there is nothing to remember, and the next start would only put it right again.
    if (signal.aborted && !changes.some(isEffect)) return {};
    if (applied.retryAfterMs !== undefined) return { retry: true, requeueAfterMs: applied.retryAfterMs };
    const finished = { round, bundle, changes };
    const isRecorded = await remember(instance, inventory, finished, world);
    if (signal.aborted) return {}; // a status of a round that was cut short would say nothing true
    const printed = await printStatus(instance, finished, world);
    const outcome = outcomeOf(applied, changes);
    const report = { outcome, revision: round.record.revision, changes, printed };
    const isShown = await reportOutcome(instance, report, world);
    if (isRecorded || isShown || hasEffects(plan)) this.#countRound(instance, cause, changes);
    if (outcome.kind === "applied" && !hasEffects(plan)) this.#settled.set(instance.uid, inputs);
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

  /** A round that wrote, though perhaps nobody asked for it: see restlessness.ts. */
  #countRound(instance: Instance, cause: string, changes: ChangeSet): void {
    const { log, events, now } = this.#world;
    if (!this.#restless.spend(instance.uid, cause, now())) return;
    const note = `It does not come to rest and is slowed: ${whyRestless(changes)}`;
    log.warn(`Restless: ${note}`, { owner: formatRef(instance.ref) });
    events.record(instance.object, { type: "Warning", reason: "Restless", note });
  }

  /** False once the instance is being deleted, or another one holds its name. */
  #isStillWanted(instance: Instance): boolean {
    const now = this.#world.instances.read(instance.request)?.object;
    return now !== undefined && now.metadata.uid === instance.uid && !isBeingDeleted(now);
  }
}

/** The kinds that the instance may own from now on: the new ones, and the old ones until they are pruned (those, too, that a crash kept out of the record). */
function intendedOf(plan: Plan, { inventory }: InstanceRecord): readonly GroupVersionKind[] {
  return [...plan.apply.map(({ desired }) => desired), ...plan.prune, ...inventory].map(({ ref }) => ref);
}

/** Refusals that are about the installation, not about one object. */
function isForPeople(error: unknown): error is ApiError {
  return error instanceof ForbiddenError || error instanceof InvalidError ||
    error instanceof AlreadyExistsError || error instanceof NotFoundError;
}

/** An instance that owns something needs our finalizer, also when somebody took it off. */
function ownsAnything(plan: Plan, record: InstanceRecord): boolean {
  return plan.apply.length > 0 || plan.prune.length > 0 || record.inventory.length > 0;
}

/** Who or what keeps an instance from coming to rest, as far as one round tells. */
function whyRestless(changes: ChangeSet): string {
  const fought = changes.filter((change) => change.against !== undefined);
  if (fought.length === 0) {
    return "its templates print other values each time (do they read `previous` or `status`?)";
  }
  const rivals = [...new Set(fought.flatMap((change) => change.against ?? []))].join(", ") || "somebody";
  return `${rivals} keeps changing ${fought.map(({ ref }) => formatRef(ref)).join(", ")}`;
}

function hasEffects(plan: Plan): boolean {
  return plan.prune.length > 0 || plan.apply.some((step) => step.kind !== "unchanged");
}
