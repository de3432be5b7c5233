import assert from "node:assert/strict";
import { conditionsOf, failuresText, type Outcome } from "./outcome.ts";

const CASES: readonly { readonly outcome: Outcome; readonly refusal?: string; readonly statuses: string }[] =
  [
    { outcome: { kind: "applied", objects: 8 }, statuses: "Ready=True Reconciling=False Stalled=False" },
    {
      outcome: { kind: "waiting", reason: "Waiting", message: "m" },
      statuses: "Ready=False Reconciling=True Stalled=False",
    },
    {
      outcome: { kind: "failed", reason: "ApplyFailed", message: "m" },
      statuses: "Ready=False Reconciling=True Stalled=False",
    },
    {
      outcome: { kind: "stalled", reason: "RenderFailed", message: "m" },
      statuses: "Ready=False Reconciling=False Stalled=True",
    },
    {
      outcome: { kind: "applied", objects: 8 },
      refusal: "a.yaml line 3: x",
      statuses: "Ready=True Reconciling=False Stalled=True",
    },
  ];

for (const { outcome, refusal, statuses } of CASES) {
  Deno.test(`conditions: ${outcome.kind}${refusal === undefined ? "" : " on old templates"}`, () => {
    const conditions = conditionsOf(outcome, 4, refusal);
    assert.equal(conditions.map(({ type, status }) => `${type}=${status}`).join(" "), statuses);
    assert.ok(conditions.every((condition) => condition.observedGeneration === 4));
    if (refusal !== undefined) assert.match(conditions[2]?.message ?? "", /a.yaml line 3/);
  });
}

Deno.test("failures: the first five by template and object, the rest counted", () => {
  const changes = Array.from({ length: 7 }, (_, i) => ({
    ref: { group: "", version: "v1", kind: "ConfigMap", namespace: "a", name: `c${i}` },
    action: "failed" as const,
    template: "t/x.yaml",
    reason: "Invalid",
    message: "bad",
  }));
  assert.match(failuresText(changes), /^t\/x.yaml: ConfigMap a\/c0: bad; .*c4: bad; and 2 more$/);
});
