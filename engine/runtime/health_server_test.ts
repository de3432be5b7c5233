/** The health server, over a real socket on loopback. */
import assert from "node:assert/strict";
import { PrometheusMetrics } from "../observe/mod.ts";
import { serveHealth } from "./health_server.ts";

Deno.test("probes and metrics are answered until the signal", async () => {
  const stop = new AbortController();
  const metrics = new PrometheusMetrics();
  metrics.counter("generic_operator_reconcile_total", { result: "success" });
  let isReady = false;
  const listening = Promise.withResolvers<number>();
  const serving = serveHealth({
    port: 0,
    isReady: () => isReady,
    metrics,
    signal: stop.signal,
    onListen: (port) => listening.resolve(port),
  });
  const base = `http://127.0.0.1:${await listening.promise}`;
  const ask = async (path: string) => {
    const response = await fetch(`${base}${path}`);
    return {
      code: response.status,
      type: response.headers.get("content-type") ?? "",
      text: await response.text(),
    };
  };
  assert.equal((await ask("/livez")).code, 200);
  const waiting = await ask("/readyz");
  assert.deepEqual([waiting.code, waiting.text], [503, "not ready: caches are not in step yet\n"]);
  isReady = true;
  assert.equal((await ask("/readyz?verbose")).code, 200);
  const exposed = await ask("/metrics");
  assert.match(exposed.type, /^text\/plain; version=0\.0\.4/);
  assert.match(exposed.text, /generic_operator_reconcile_total\{result="success"\} 1/);
  assert.equal((await ask("/other")).code, 404);
  stop.abort();
  await serving;
});
