/**
 * Says how a round went: to the log (a line per object that changed), as Events (what changed, not what did not), and in the status.
 */
import { type Change, type ChangeSet, formatRef, type JsonObject, typeMetaOf } from "../meta/mod.ts";
import { conditionsOf, type Outcome } from "../report/mod.ts";
import type { Instance, World } from "./world.ts";

/** What the status tells of a round. */
export interface RoundReport {
  readonly outcome: Outcome;
  readonly revision: number;
  readonly changes: ChangeSet;
  /** What the status template printed; undefined leaves what it printed before. */
  readonly printed: JsonObject | undefined;
}

/** Log lines and Events for what a round did. */
export function reportChanges(instance: Instance, changes: ChangeSet, world: World): void {
  const owner = formatRef(instance.ref);
  for (const change of changes) {
    if (change.action === "unchanged" || change.action === "skipped") continue;
    const { ref, action, template, reason, message, against, durationMs } = change;
    const repair = against === undefined || against.length === 0
      ? {}
      : { repairedAgainst: against.join(", ") };
    // A failure is told by the outcome, once; each further try is for those who look closely.
    world.log[action === "failed" ? "debug" : "info"](`${action} ${formatRef(ref)}`, {
      owner,
      ...(template === undefined ? {} : { template }),
      ...(reason === undefined ? {} : { reason, message: message ?? "" }),
      ...(durationMs === undefined ? {} : { durationMs: Math.round(durationMs) }),
      ...repair,
    });
  }
  const repaired = changes.filter((change) => change.against !== undefined);
  const made = changes.filter((change) => change.against === undefined && isEffect(change));
  if (made.length > 0) {
    world.events.record(instance.object, { type: "Normal", reason: "Applied", note: sentence(made) });
  }
  if (repaired.length > 0) {
    world.events.record(instance.object, {
      type: "Normal",
      reason: "Repaired",
      note: repairSentence(repaired),
    });
  }
}

/** The status of a round, and a Warning for what keeps it from being Ready. Answers whether the status changed. */
export async function reportOutcome(instance: Instance, report: RoundReport, world: World): Promise<boolean> {
  const { outcome, changes } = report;
  const { refusal } = world.bundle();
  const { generation } = instance.object.metadata;
  const { changed, refused } = await world.status.write(instance.object, world.resource, {
    conditions: conditionsOf(outcome, generation, refusal),
    fields: {
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      revision: report.revision,
      counts: countsOf(changes),
      failedObjects: changes.filter((change) => change.action === "failed").map(failedObject),
    },
    printed: report.printed,
  });
  if (changed) announce(instance, outcome, refusal, world);
  if (refused !== undefined) {
    world.log.warn(`Status as printed by the template was refused: ${refused.message}`, {
      owner: formatRef(instance.ref),
    });
    world.events.record(instance.object, { type: "Warning", reason: "StatusRefused", note: refused.message });
  }
  return changed;
}

/** Says once what the status says from now on: to the log, and as a Warning what keeps the instance from being Ready. */
function announce(instance: Instance, outcome: Outcome, refusal: string | undefined, world: World): void {
  const owner = formatRef(instance.ref);
  if (refusal !== undefined && outcome.kind !== "stalled") {
    world.log.warn(`BundleRefused: ${refusal}`, { owner });
    world.events.record(instance.object, { type: "Warning", reason: "BundleRefused", note: refusal });
  }
  if (outcome.kind === "applied") {
    world.log.info(`Ready: ${outcome.objects} objects are as rendered`, { owner });
    return;
  }
  const { kind, reason, message } = outcome;
  const isNormal = kind === "waiting" && reason !== "UnknownKind";
  world.log[isNormal ? "info" : "warn"](`${reason}: ${message}`, { owner });
  if (reason === "Deleting" && isNormal) return;
  world.events.record(instance.object, { type: isNormal ? "Normal" : "Warning", reason, note: message });
}

/** Counts that are the same in two rounds with the same outcome. */
function countsOf(changes: ChangeSet): JsonObject {
  const count = (actions: readonly Change["action"][]) =>
    changes.filter((change) => actions.includes(change.action)).length;
  return {
    applied: count(["created", "configured", "unchanged"]),
    failed: count(["failed"]),
    skipped: count(["skipped"]),
  };
}

/** An object as the status shows it. */
export function shownObject({ ref }: Change): JsonObject {
  return {
    ...typeMetaOf(ref),
    ...(ref.namespace === undefined ? {} : { namespace: ref.namespace }),
    name: ref.name,
  };
}

/** An object that failed, as the status shows it. */
export function failedObject(change: Change): JsonObject {
  return { ...shownObject(change), reason: change.reason ?? "", message: change.message ?? "" };
}

/** True for a change that was made in the cluster. */
export function isEffect({ action }: Change): boolean {
  return action === "created" || action === "configured" || action === "deleted";
}

function sentence(changes: ChangeSet): string {
  const parts: string[] = [];
  for (const action of ["created", "configured", "deleted"] as const) {
    const of = changes.filter((change) => change.action === action);
    if (of.length > 0) parts.push(`${action} ${of.length}: ${namesOf(of)}`);
  }
  return parts.join("; ");
}

function repairSentence(changes: ChangeSet): string {
  const rivals = [...new Set(changes.flatMap((change) => change.against ?? []))].sort();
  return `restored ${namesOf(changes)}${rivals.length === 0 ? "" : ` (changed by ${rivals.join(", ")})`}`;
}

function namesOf(changes: ChangeSet): string {
  const shown = changes.slice(0, 10).map((change) => formatRef(change.ref)).join(", ");
  return changes.length > 10 ? `${shown} and ${changes.length - 10} more` : shown;
}
