import assert from "node:assert/strict";
import { type Condition, mergeConditions, type WantedCondition } from "./mod.ts";

const BEFORE = "2026-01-01T00:00:00Z";
const NOW = new Date("2026-02-02T02:02:02.345Z");

function ready(status: "True" | "False", message: string): WantedCondition {
  return { type: "Ready", status, reason: "R", message };
}

Deno.test("lastTransitionTime moves only with the status", () => {
  const present: Condition[] = [{ ...ready("True", "old"), lastTransitionTime: BEFORE }];
  assert.equal(mergeConditions(present, [ready("True", "new")], NOW)[0]?.lastTransitionTime, BEFORE);
  assert.equal(mergeConditions(present, [ready("True", "new")], NOW)[0]?.message, "new");
  assert.equal(
    mergeConditions(present, [ready("False", "new")], NOW)[0]?.lastTransitionTime,
    "2026-02-02T02:02:02Z",
  );
});

Deno.test("conditions of others stay in place", () => {
  const foreign: Condition = {
    type: "Backup",
    status: "True",
    reason: "Done",
    message: "",
    lastTransitionTime: BEFORE,
  };
  assert.deepEqual(mergeConditions([foreign], [ready("True", "")], NOW).map((one) => one.type), [
    "Backup",
    "Ready",
  ]);
  assert.deepEqual(mergeConditions([foreign], [ready("True", "")], NOW)[0], foreign);
});
