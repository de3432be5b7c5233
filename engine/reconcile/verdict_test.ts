import assert from "node:assert/strict";
import { type ApplyOutcome, isComplete } from "../apply/mod.ts";
import type { Change } from "../meta/mod.ts";
import { nextLook, outcomeOf } from "./verdict.ts";

function change(action: Change["action"], more: Partial<Change> = {}): Change {
  return { ref: { group: "", version: "v1", kind: "ConfigMap", namespace: "a", name: "x" }, action, ...more };
}

function applied(changes: readonly Change[], more: Partial<ApplyOutcome> = {}): ApplyOutcome {
  return { changes, inventory: [], complete: isComplete(changes), ...more };
}

const NOT_OWNED = change("failed", { reason: "NotOwned", message: "held" });
const INVALID = change("failed", { reason: "Invalid", message: "bad" });

/** Changes → outcome → when to look again. */
const CASES: readonly {
  readonly name: string;
  readonly changes: readonly Change[];
  readonly more?: Partial<ApplyOutcome>;
  readonly outcome: Readonly<Record<string, unknown>>;
  readonly next: Readonly<Record<string, unknown>>;
}[] = [
  {
    name: "all as rendered",
    changes: [change("created"), change("unchanged")],
    outcome: { kind: "applied", objects: 2 },
    next: {},
  },
  {
    name: "one failed",
    changes: [INVALID, change("skipped", { reason: "Waiting" })],
    more: { waitingFor: "something" },
    outcome: { kind: "failed", reason: "ApplyFailed", message: "ConfigMap a/x: bad" },
    next: { retry: true },
  },
  {
    name: "one failed, and the API server asked for a pause",
    changes: [INVALID],
    more: { retryAfterMs: 5_000 },
    outcome: { kind: "failed", reason: "ApplyFailed", message: "ConfigMap a/x: bad" },
    next: { retry: true, requeueAfterMs: 5_000 },
  },
  {
    name: "only foreign objects in the way: no back-off, but a look now and then",
    changes: [NOT_OWNED, NOT_OWNED],
    outcome: { kind: "failed", reason: "NotOwned", message: "ConfigMap a/x: held; ConfigMap a/x: held" },
    next: { requeueAfterMs: 10_000 },
  },
  {
    name: "foreign and failed",
    changes: [NOT_OWNED, INVALID],
    outcome: { kind: "failed", reason: "ApplyFailed", message: "ConfigMap a/x: held; ConfigMap a/x: bad" },
    next: { retry: true },
  },
  {
    name: "waits",
    changes: [change("created"), change("skipped", { reason: "Waiting", message: "not reached" })],
    more: { waitingFor: "Job x" },
    outcome: { kind: "waiting", reason: "Waiting", message: "Waits: Job x" },
    next: { requeueAfterMs: 10_000 },
  },
  {
    name: "waits with everything applied",
    changes: [change("created")],
    more: { waitingFor: "Job x" },
    outcome: { kind: "waiting", reason: "Waiting", message: "Waits: Job x" },
    next: { requeueAfterMs: 10_000 },
  },
  ...["WaitingForKind", "Replacing"].map((reason) => ({
    name: `takes a moment: ${reason}`,
    changes: [change("skipped", { reason, message: "soon" })],
    outcome: { kind: "waiting", reason, message: "soon" },
    next: { requeueAfterMs: 1_000 },
  })),
  {
    name: "something is being deleted",
    changes: [change("unchanged"), change("skipped", { reason: "Terminating", message: "going" })],
    outcome: { kind: "waiting", reason: "Terminating", message: "going" },
    next: { requeueAfterMs: 10_000 },
  },
];

for (const { name, changes, more = {}, outcome, next } of CASES) {
  Deno.test(`verdict: ${name}`, () => {
    const round = applied(changes, more);
    assert.deepEqual(outcomeOf(round, changes), outcome);
    assert.deepEqual(nextLook(outcomeOf(round, changes), round, changes), next);
  });
}

Deno.test("verdict: pruned objects are not counted as rendered, but keep it from being applied while they are there", () => {
  const round = applied([change("unchanged")]);
  assert.deepEqual(outcomeOf(round, [...round.changes, change("deleted")]), { kind: "applied", objects: 1 });
  const held = [...round.changes, change("skipped", { reason: "Terminating", message: "held" })];
  assert.deepEqual(outcomeOf(round, held), { kind: "waiting", reason: "Terminating", message: "held" });
  assert.equal(isComplete(held), false);
});

Deno.test("verdict: what stalled waits for a change", () => {
  const stalled = { kind: "stalled", reason: "RenderFailed", message: "m" } as const;
  assert.deepEqual(nextLook(stalled, applied([]), []), {});
});
