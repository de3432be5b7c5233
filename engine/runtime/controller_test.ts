import assert from "node:assert/strict";
import { ApiError } from "../kube/mod.ts";
import type { Logger, Metrics } from "../observe/mod.ts";
import { WorkQueue } from "../queue/mod.ts";
import { FakeClock } from "../queue/fake_clock.ts";
import type { Reconciler, Result } from "../reconcile/reconciler.ts";
import { Controller } from "./controller.ts";

const SILENT: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const NO_METRICS: Metrics = { counter: () => {}, gauge: () => {}, histogram: () => {} };

/** Runs a controller over scripted results until `until` requests were reconciled; answers [time, name] of each. */
async function run(
  script: readonly (Result | Error)[],
  until: number,
): Promise<readonly (readonly [number, string])[]> {
  const clock = new FakeClock();
  const queue = new WorkQueue({ clock });
  const controller = new AbortController();
  const seen: (readonly [number, string])[] = [];
  const reconciler: Reconciler = {
    reconcile: ({ namespace, name }) => {
      seen.push([clock.now(), `${namespace ?? ""}/${name}`]);
      const next = script[seen.length - 1] ?? {};
      if (seen.length >= until) controller.abort();
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
    },
  };
  const running = new Controller({
    name: "test",
    queue,
    reconciler,
    workers: 2,
    log: SILENT,
    metrics: NO_METRICS,
  })
    .run(controller.signal);
  queue.add("shop/one");
  while (!controller.signal.aborted) {
    await clock.advance(10);
  }
  await running;
  return seen;
}

Deno.test("an error is tried again with growing pauses", async () => {
  const seen = await run([new Error("x"), new Error("x"), new Error("x")], 4);
  const pauses = seen.slice(1).map(([time], i) => time - (seen[i]?.[0] ?? 0));
  assert.ok(pauses.every((pause, i) => i === 0 || pause > (pauses[i - 1] ?? 0)), pauses.join());
  assert.deepEqual(new Set(seen.map(([, name]) => name)), new Set(["shop/one"]));
});

Deno.test("an API server that does not answer is tried again every two seconds", async () => {
  const down = new ApiError("connection refused", { code: 0 });
  const seen = await run([down, down, down, down], 5);
  const pauses = seen.slice(1).map(([time], i) => time - (seen[i]?.[0] ?? 0));
  assert.ok(pauses.every((pause) => pause >= 2_000 && pause < 2_200), pauses.join());
});

Deno.test("a result may ask for another look", async () => {
  const seen = await run([{ requeueAfterMs: 500 }, { retry: true, requeueAfterMs: 300 }], 3);
  const times = seen.map(([time]) => time);
  assert.ok((times[1] ?? 0) - (times[0] ?? 0) >= 500);
  assert.ok((times[2] ?? 0) - (times[1] ?? 0) >= 300);
});
