/**
 * What a round comes to, and when to look again. Pure: the changes of the round in, the outcome for the status and the result for the loop out.
 */
import type { ApplyOutcome } from "../apply/mod.ts";
import { type ChangeSet, refKey } from "../meta/mod.ts";
import { failuresText, type Outcome } from "../report/mod.ts";
import type { Result } from "./reconciler.ts";

/** Pause before something foreign, or something that is waited for, is looked at again even if no watch wakes us, in milliseconds. */
const RECHECK_MS = 10_000;
/** The same for what takes a moment: a CRD of the same render, an object that is being replaced. */
const SHORT_RECHECK_MS = 1_000;

/** The outcome of a round, for the status. */
export function outcomeOf(applied: ApplyOutcome, changes: ChangeSet): Outcome {
  const failed = changes.filter((change) => change.action === "failed");
  if (failed.length > 0) {
    const reason = failed.every((change) => change.reason === "NotOwned") ? "NotOwned" : "ApplyFailed";
    return { kind: "failed", reason, message: failuresText(changes) };
  }
  if (applied.waitingFor !== undefined) {
    return { kind: "waiting", reason: "Waiting", message: `Waits: ${applied.waitingFor}` };
  }
  const skipped = changes.find((change) => change.action === "skipped");
  if (skipped === undefined) return { kind: "applied", objects: applied.changes.length };
  return {
    kind: "waiting",
    reason: skipped.reason ?? "Waiting",
    message: skipped.message ?? refKey(skipped.ref),
  };
}

/** When the loop is to look again. */
export function nextLook(outcome: Outcome, { retryAfterMs }: ApplyOutcome, changes: ChangeSet): Result {
  switch (outcome.kind) {
    case "applied":
    case "stalled":
      return {};
    case "failed":
      if (outcome.reason === "NotOwned") return { requeueAfterMs: RECHECK_MS };
      return { retry: true, ...(retryAfterMs === undefined ? {} : { requeueAfterMs: retryAfterMs }) };
    case "waiting": {
      const isShort = changes.some(({ reason }) => reason === "WaitingForKind" || reason === "Replacing");
      return { requeueAfterMs: isShort ? SHORT_RECHECK_MS : RECHECK_MS };
    }
  }
}
