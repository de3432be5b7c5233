/** Short ways to check what expressions print and how they fail; tests only. What is expected was printed by Python. */
import assert from "node:assert/strict";
import { render, renderFailure, type RenderSetup } from "../testing.ts";
import type { ErrorKind } from "./mod.ts";

/** Checks that each expression prints its text. */
export function assertPrints(
  cases: readonly (readonly [expression: string, expected: string])[],
  setup: RenderSetup = {},
): void {
  for (const [expression, expected] of cases) {
    assert.equal(render(`[{ ${expression} }]`, setup), expected, expression);
  }
}

/** Checks that each expression fails with an error of its kind; the message has to be this one, or begin so. */
export function assertFails(
  cases: readonly (readonly [expression: string, kind: ErrorKind, message: string])[],
  setup: RenderSetup = {},
): void {
  for (const [expression, kind, message] of cases) {
    const error = renderFailure(`[{ ${expression} }]`, setup);
    assert.equal(error.kind, kind, expression);
    assert.ok(error.detail.startsWith(message), `${expression}: ${error.detail}`);
  }
}
