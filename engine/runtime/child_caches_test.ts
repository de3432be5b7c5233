/** The caches of children: that a stop does not wait for a cache which cannot come in step any more. */
import assert from "node:assert/strict";
import { ownNames } from "../meta/mod.ts";
import { lineLogger, PrometheusMetrics } from "../observe/mod.ts";
import { InformerSet } from "../watch/mod.ts";
import { ScriptedClient, WIDGETS } from "../watch/scripted_client.ts";
import { WatchedChildren } from "./child_caches.ts";

Deno.test("a wait for a cache ends with the signal, not with its time limit", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const log = lineLogger({ format: "text", level: "error", write: () => {}, now: () => new Date(0) });
  const informers = new InformerSet({
    client: new ScriptedClient(),
    log,
    metrics: new PrometheusMetrics(),
    signal,
  });
  const children = new WatchedChildren({
    informers,
    mapper: { resourceFor: () => Promise.resolve(WIDGETS), invalidate: () => {} },
    names: ownNames(),
    implementation: "things",
    signal,
    onChange: () => {},
  });
  const waiting = children.ensure([WIDGETS]);
  controller.abort(new Error("Stop"));
  await assert.rejects(waiting, { message: "Stop" });
  await informers.stop();
});
