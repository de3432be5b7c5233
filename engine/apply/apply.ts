/**
 * Carries out the apply steps of a plan, one object after the other, and says what happened to each.
 *
 * A document that fails does not starve the others: only what needs it is skipped (objects in its Namespace, and what stands behind
 * a `_wait`). Nothing sleeps here: what must wait is reported, and the queue asks again. What exists and is not ours is never
 * overwritten: a create is a server-side apply that the API server refuses when the object is there.
 */
import {
  AlreadyExistsError,
  type ApiError,
  ConflictError,
  InvalidError,
  NotFoundError,
  type Resource,
} from "../kube/mod.ts";
import {
  type Change,
  type ChangeSet,
  formatRef,
  type Inventory,
  type InventoryEntry,
  type KubeObject,
  refKey,
} from "../meta/mod.ts";
import type { Desired } from "./desired.ts";
import { ownFieldsDigest } from "./drift.ts";
import { holderOf, isOurs, mayAdopt, ownEntry, type Ownership } from "./ownership.ts";
import type { ApplyStep } from "./plan.ts";
import { readinessOf } from "./readiness.ts";
import { trackedApply, trackedDelete, type TrackedWrites } from "./tracked.ts";

/** What carrying out needs. */
export interface ApplyContext extends TrackedWrites {
  readonly ownership: Ownership;
  /** Does an instance with this UID still exist? Its objects are not up for adoption. */
  readonly ownerExists: (uid: string) => boolean;
  readonly now: () => Date;
  /** Asked before each step: false ends the round (the instance is being deleted, the process stops). */
  readonly proceed: () => boolean;
  /** What was applied before: entries of objects that are not reached stay in the inventory. */
  readonly inventory: Inventory;
}

/** How the apply half of a round ended. */
export interface ApplyOutcome {
  readonly changes: ChangeSet;
  /** Entries of all that is there for this instance, as far as this round knows. */
  readonly inventory: Inventory;
  /** All was applied, and every `_wait` is fulfilled: only then may be pruned. */
  readonly complete: boolean;
  /** Set when something is waited for: what, for people. */
  readonly waitingFor?: string;
  /** Largest pause that the API server asked for, in milliseconds. */
  readonly retryAfterMs?: number;
}

interface StepResult {
  readonly change: Change;
  readonly entry?: InventoryEntry;
  readonly waitingFor?: string;
  readonly retryAfterMs?: number;
}

/** Carries out the steps in order. Throws only what is not about one object (a bug). */
export async function applySteps(steps: readonly ApplyStep[], context: ApplyContext): Promise<ApplyOutcome> {
  const remembered = new Map(context.inventory.map((entry) => [refKey(entry.ref), entry]));
  const changes: Change[] = [];
  const inventory: InventoryEntry[] = [];
  const lostNamespaces = new Set<string>();
  const ownNamespaces = new Set<string>();
  let barrier: string | undefined;
  let retryAfterMs: number | undefined;

  for (const step of steps) {
    const { ref } = step.desired;
    const obstacle = barrier ?? namespaceObstacle(step.desired, lostNamespaces, ownNamespaces) ??
      (retryAfterMs === undefined ? undefined : "the API server asked to wait") ??
      (context.proceed() ? undefined : "the round was ended");
    const result = obstacle === undefined
      ? await carryOut(step, context)
      : skipped(step, "Waiting", `Not reached: ${obstacle}`);
    changes.push(result.change);
    const entry = result.entry ?? remembered.get(refKey(ref));
    if (entry !== undefined) inventory.push(entry);
    if (ref.kind === "Namespace") {
      const isThere = result.entry !== undefined || isAlive(step);
      (isThere ? ownNamespaces : lostNamespaces).add(ref.name);
    }
    if (barrier === undefined && step.desired.manifest.wait !== false) {
      barrier = obstacle ??
        (result.entry === undefined ? `${formatRef(ref)} is not there` : result.waitingFor);
    }
    if (result.retryAfterMs !== undefined) retryAfterMs = Math.max(retryAfterMs ?? 0, result.retryAfterMs);
  }
  const reached = new Set(inventory.map((entry) => refKey(entry.ref)));
  inventory.push(...context.inventory.filter((entry) => !reached.has(refKey(entry.ref))));
  return {
    changes,
    inventory,
    complete: barrier === undefined && isComplete(changes),
    ...(barrier === undefined ? {} : { waitingFor: barrier }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** True when everything is as rendered: nothing failed, nothing was left out. */
export function isComplete(changes: ChangeSet): boolean {
  return changes.every(({ action }) => action !== "failed" && action !== "skipped");
}

/** Alive and ours, by the plan: a Namespace that is takes content, even when it could not be brought up to date. */
function isAlive({ kind }: ApplyStep): boolean {
  return kind === "configure" || kind === "unchanged";
}

function namespaceObstacle(
  { ref, needsNamespace }: Desired,
  lost: ReadonlySet<string>,
  own: ReadonlySet<string>,
): string | undefined {
  if (ref.namespace === undefined) return undefined;
  if (lost.has(ref.namespace)) return `Namespace ${ref.namespace} is not there`;
  if (!needsNamespace || own.has(ref.namespace)) return undefined;
  return `Namespace ${ref.namespace} is not ours (yet): render it before what goes into it`;
}

function skipped(step: ApplyStep, reason: string, message: string): StepResult {
  const entry = step.kind === "unchanged" ? { entry: step.entry } : {};
  return { change: changeOf(step.desired, "skipped", { reason, message }), ...entry };
}

function changeOf({ ref, manifest }: Desired, action: Change["action"], more: Partial<Change> = {}): Change {
  return { ref, action, template: manifest.origin.template, ...more };
}

async function carryOut(step: ApplyStep, context: ApplyContext): Promise<StepResult> {
  const { desired } = step;
  if (desired.resource === undefined) {
    return skipped(
      step,
      "WaitingForKind",
      `${desired.ref.kind} is not served yet: its CRD comes with the same render`,
    );
  }
  if (step.kind === "terminating") {
    const finalizers = step.live.metadata.finalizers?.join(", ") ?? "none";
    return skipped(
      step,
      "Terminating",
      `Being deleted since ${step.live.metadata.deletionTimestamp}, finalizers: ${finalizers}`,
    );
  }
  const started = performance.now();
  try {
    const result = step.kind === "unchanged"
      ? { change: changeOf(desired, "unchanged"), entry: step.entry }
      : await write(step, desired.resource, context);
    const timed = { ...result, change: { ...result.change, durationMs: performance.now() - started } };
    return desired.manifest.wait === false ? timed : await waited(timed, desired, desired.resource, context);
  } catch (error) {
    return failure(desired, error);
  }
}

function failure(desired: Desired, error: unknown): StepResult {
  if (!(error instanceof Error)) throw error;
  const reason = "reason" in error && typeof error.reason === "string" && error.reason !== ""
    ? error.reason
    : error.name;
  const retryAfterMs = "retryAfterMs" in error && typeof error.retryAfterMs === "number"
    ? error.retryAfterMs
    : undefined;
  const hint = isImmutable(error) && !desired.manifest.replace
    ? "; `_replace: true` in the document deletes it and makes it again"
    : "";
  return {
    change: changeOf(desired, "failed", { reason, message: `${error.message}${hint}` }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

type WriteStep = Exclude<ApplyStep, { readonly kind: "unchanged" | "terminating" }>;

async function write(step: WriteStep, resource: Resource, context: ApplyContext): Promise<StepResult> {
  const { desired } = step;
  if (step.kind === "create") return await create(step, resource, context);
  try {
    const live = await applyTo(step.uid, desired, resource, context);
    return {
      change: changeOf(desired, "configured", step.against.length === 0 ? {} : { against: step.against }),
      entry: entryFor(desired, live, context),
    };
  } catch (error) {
    if (desired.manifest.replace && isImmutable(error)) {
      return await replace(step.uid, desired, resource, context);
    }
    if (isAnotherObject(error)) {
      return await create({ kind: "create", desired, uid: undefined, repair: true }, resource, context);
    }
    throw error;
  }
}

async function create(
  { desired, uid, repair }: Extract<ApplyStep, { readonly kind: "create" }>,
  resource: Resource,
  context: ApplyContext,
): Promise<StepResult> {
  const change = (action: "created" | "configured") =>
    changeOf(desired, action, repair ? { against: [] } : {});
  try {
    const live = await trackedApply(
      desired.ref,
      context,
      () =>
        context.client.apply(resource, desired.object, {
          fieldManager: context.ownership.fieldManager,
          onlyCreate: true,
        }),
    );
    await applyInitial(live.metadata.uid, desired, resource, context);
    return { change: change("created"), entry: entryFor(desired, live, context) };
  } catch (error) {
    if (!(error instanceof AlreadyExistsError)) throw error;
  }
  const { object: present } = await context.client.get(resource, desired.ref);
  const { ownership } = context;
  const presentUid = present.metadata.uid ?? "";
  if (!isOurs(present, ownership, uid) && !mayAdopt(present, ownership, context.ownerExists)) {
    const message = `Exists already and is not ours: held by ${holderOf(present, ownership)}. ` +
      `Nothing was changed; annotate it with ${ownership.names.adopt}=true to hand it over`;
    return { change: changeOf(desired, "failed", { reason: "NotOwned", message }) };
  }
  const live = await applyTo(presentUid, desired, resource, context);
  return { change: change("configured"), entry: entryFor(desired, live, context) };
}

/**
 * Server-side apply to this very object: another UID, or none, is a conflict. What is left to others is set first: a field that was ours until now
 * would be gone in between.
 */
async function applyTo(
  uid: string,
  desired: Desired,
  resource: Resource,
  context: ApplyContext,
): Promise<KubeObject> {
  await applyInitial(uid, desired, resource, context);
  const { fieldManager } = context.ownership;
  const request = () => context.client.apply(resource, withUid(desired.object, uid), { fieldManager });
  return await trackedApply(desired.ref, context, request);
}

/** Sets what is left to others, if anything is. Where somebody holds it already, it is theirs; where the object is another one, that is not ours to set. */
async function applyInitial(
  uid: string | undefined,
  { initial }: Desired,
  resource: Resource,
  context: ApplyContext,
): Promise<void> {
  if (initial === undefined) return;
  const fieldManager = `${context.ownership.fieldManager}/initial`;
  try {
    await context.client.apply(resource, withUid(initial, uid ?? ""), { fieldManager, force: false });
  } catch (error) {
    if (!isAnotherObject(error)) throw error;
  }
}

function withUid(object: KubeObject, uid: string): KubeObject {
  return { ...object, metadata: { ...object.metadata, uid } };
}

function entryFor(desired: Desired, live: KubeObject, { ownership }: ApplyContext): InventoryEntry {
  return {
    ref: desired.ref,
    uid: live.metadata.uid ?? "",
    digest: desired.digest,
    fields: ownFieldsDigest(live, ownership.fieldManager),
    keep: desired.manifest.keep,
  };
}

/** The UID that we know is not there any more: nothing, or a namesake, is. */
function isAnotherObject(error: unknown): boolean {
  if (error instanceof ConflictError || error instanceof NotFoundError) return true;
  return error instanceof InvalidError && error.causes.some((cause) => cause.field === "metadata.uid");
}

/** Judged by what each cause ends in: before that, causes quote values, which may say anything. */
function isImmutable(error: unknown): error is ApiError {
  if (!(error instanceof InvalidError)) return false;
  const words = error.causes.map(({ message = "" }) => message.replaceAll(/"(?:[^"\\]|\\.)*"/g, ""));
  return words.some((text) => IMMUTABLE.test(text));
}

const IMMUTABLE =
  /(is immutable.*|cannot change roleRef|may not (be changed|change once set).*|updates to .* are forbidden)$/is;

/** `_replace`: deleted now, made again in the round that sees it gone. */
async function replace(
  uid: string,
  desired: Desired,
  resource: Resource,
  context: ApplyContext,
): Promise<StepResult> {
  const left = await trackedDelete({ ref: desired.ref, uid }, resource, context);
  if (left === "gone") {
    return await create({ kind: "create", desired, uid: undefined, repair: false }, resource, context);
  }
  const message = `${formatRef(desired.ref)} is being replaced: an immutable field changed`;
  return { change: changeOf(desired, "skipped", { reason: "Replacing", message }) };
}

/** `_wait`: asks once per round whether the object is ready; once it was, it is not asked again. */
async function waited(
  result: StepResult,
  desired: Desired,
  resource: Resource,
  context: ApplyContext,
): Promise<StepResult> {
  const { entry } = result;
  if (entry === undefined || entry.waited === true) return result;
  let object: KubeObject;
  try {
    object = (await context.client.get(resource, desired.ref)).object;
  } catch (error) {
    return { ...failure(desired, error), entry, waitingFor: `${formatRef(desired.ref)} cannot be read` };
  }
  const readiness = readinessOf(object);
  if (readiness.ready) return { ...result, entry: { ...entry, waited: true } };
  const late = isLate(object, desired, context) ? ", longer than its _wait allows" : "";
  return { ...result, waitingFor: `${formatRef(desired.ref)} ${readiness.message}${late}` };
}

/** Counted from our last apply, which the API server keeps the time of. */
function isLate(
  live: KubeObject,
  { manifest: { wait } }: Desired,
  { ownership, now }: ApplyContext,
): boolean {
  const since = ownEntry(live, ownership.fieldManager)?.time ?? live.metadata.creationTimestamp;
  if (wait === false || wait.timeoutMs === undefined || since === undefined) return false;
  return now().getTime() - Date.parse(since) > wait.timeoutMs;
}
