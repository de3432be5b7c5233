/**
 * From the outcome of a round to conditions: the words in which an instance says how it is. Pure.
 *
 * kstatus-compatible: `Ready` is the answer, `Reconciling` says that the engine goes on by itself, `Stalled` that somebody must change
 * something first. The texts hold nothing that differs between two rounds with the same outcome: else a status would never be still.
 */
import { type ChangeSet, formatRef, type WantedCondition } from "../meta/mod.ts";

/** How a round ended, as far as the status tells. */
export type Outcome =
  | { readonly kind: "applied"; readonly objects: number }
  /** Something is waited for: a `_wait`, a kind that is not served yet, a deletion. */
  | { readonly kind: "waiting"; readonly reason: string; readonly message: string }
  /** Some objects failed; the queue tries again. */
  | { readonly kind: "failed"; readonly reason: string; readonly message: string }
  /** Nothing was written, and nothing will be until a template, a value or the bundle changes. */
  | { readonly kind: "stalled"; readonly reason: string; readonly message: string };

/** The conditions of an outcome. `refusal`: a newer bundle was refused, and an older one goes on serving. */
export function conditionsOf(
  outcome: Outcome,
  generation: number | undefined,
  refusal?: string,
): readonly WantedCondition[] {
  const condition = (type: string, status: boolean, reason: string, message: string): WantedCondition => ({
    type,
    status: status ? "True" : "False",
    reason,
    message: message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE - 3)}...` : message,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
  });
  const ready = outcome.kind === "applied"
    ? condition("Ready", true, "Applied", `${outcome.objects} objects are as rendered`)
    : condition("Ready", false, outcome.reason, outcome.message);
  const goesOn = outcome.kind === "waiting" || outcome.kind === "failed";
  const reconciling = goesOn
    ? condition("Reconciling", true, outcome.reason, outcome.message)
    : condition("Reconciling", false, "Idle", "Nothing under way");
  const stalled = outcome.kind === "stalled"
    ? condition("Stalled", true, outcome.reason, outcome.message)
    : refusal !== undefined
    ? condition(
      "Stalled",
      true,
      "BundleRefused",
      `New templates were refused, the last good ones serve: ${refusal}`,
    )
    : condition("Stalled", false, "Idle", "Nothing in the way");
  return [ready, reconciling, stalled];
}

/** A condition's message may hold 32 KiB; people read less. */
const MAX_MESSAGE = 2000;

/** One text for the failures of a round: the first five by object, the rest counted. */
export function failuresText(changes: ChangeSet): string {
  const failures = changes.filter((change) => change.action === "failed");
  const shown = failures.slice(0, 5).map((change) =>
    `${change.template === undefined ? "" : `${change.template}: `}${formatRef(change.ref)}: ${
      change.message ?? change.reason
    }`
  );
  const rest = failures.length - shown.length;
  return shown.join("; ") + (rest > 0 ? `; and ${rest} more` : "");
}
