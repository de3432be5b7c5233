/**
 * What a round leaves behind: its record (inventory, values, how the revision went), written once at most, and the values of the status
 * template.
 */
import { isComplete } from "../apply/mod.ts";
import type { Bundle } from "../implementation/mod.ts";
import { type ChangeSet, formatRef, type JsonObject, shorten } from "../meta/mod.ts";
import { RenderError } from "../render/mod.ts";
import { failuresText } from "../report/mod.ts";
import type { InstanceRecord } from "../revision/mod.ts";
import type { RenderedRound } from "./rendering.ts";
import { failedObject, shownObject } from "./reporting.ts";
import { recordOwner } from "./round.ts";
import type { Instance, World } from "./world.ts";

/** Characters of an entry's result: a message of the API server may quote a whole object. */
const MAX_RESULT = 2000;

/** What a round has to tell. */
export interface FinishedRound {
  readonly round: RenderedRound;
  readonly bundle: Bundle;
  readonly changes: ChangeSet;
}

/** Saves the record, if it is not stored like that already; answers whether it had to. Throws ApiError. */
export async function remember(
  instance: Instance,
  inventory: InstanceRecord["inventory"],
  { round, bundle, changes }: FinishedRound,
  world: World,
): Promise<boolean> {
  const { record, rendered } = round;
  const complete = isComplete(changes);
  const result = complete ? "complete" : shorten(failuresText(changes), MAX_RESULT) || "under way";
  return await world.records.save(recordOwner(instance, world), {
    ...record,
    inventory,
    history: withResult(record.history, result, changes),
    previous: complete ? rendered.values : record.previous,
  }, { name: rendered.historyName, limit: bundle.implementation.history.limit });
}

/** The newest entry says how its revision went; its counts are those of the first round. */
function withResult(
  history: InstanceRecord["history"],
  result: string,
  changes: ChangeSet,
): InstanceRecord["history"] {
  const entry = history.at(-1);
  if (entry === undefined || entry.result === result) return history;
  const counts = entry.result === "" ? countsOf(changes) : entry.counts;
  return [...history.slice(0, -1), { ...entry, result, counts }];
}

function countsOf(changes: ChangeSet): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { action } of changes) counts[action] = (counts[action] ?? 0) + 1;
  return counts;
}

/** What the status template prints; what it printed before (undefined) when it fails: a status is no reason to fail a round. */
export async function printStatus(
  instance: Instance,
  { round, bundle, changes }: FinishedRound,
  world: World,
): Promise<JsonObject | undefined> {
  if (bundle.implementation.status === undefined) return {};
  const alive = changes.filter(({ action }) => action !== "deleted" && action !== "failed");
  const failed = changes.filter(({ action }) => action === "failed");
  const result: JsonObject = {
    ready: isComplete(changes),
    message: failuresText(changes),
    objects: alive.map((change) => ({ ...shownObject(change), applied: change.action !== "skipped" })),
    failed: failed.map(failedObject),
  };
  try {
    return await world.renderer.renderStatus({ ...round.request, result });
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    world.log.warn(`The status template failed: ${error.message}`, { owner: formatRef(instance.ref) });
    world.events.record(instance.object, { type: "Warning", reason: "StatusFailed", note: error.message });
    return undefined;
  }
}
