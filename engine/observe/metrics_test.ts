import assert from "node:assert/strict";
import { PrometheusMetrics } from "./metrics.ts";

Deno.test("counters add, gauges are set, labels are in one order and escaped", () => {
  const metrics = new PrometheusMetrics({ help: { a_total: "Things\nthat were \\ done" } });
  metrics.counter("a_total", { b: "1", a: 'x"\\\n' });
  metrics.counter("a_total", { a: 'x"\\\n', b: "1" }, 2);
  metrics.counter("plain_total");
  metrics.gauge("depth", 5, { queue: "q" });
  metrics.gauge("depth", -1.5, { queue: "q" });
  assert.equal(
    metrics.text(),
    [
      "# HELP a_total Things\\nthat were \\\\ done",
      "# TYPE a_total counter",
      'a_total{a="x\\"\\\\\\n",b="1"} 3',
      "# TYPE plain_total counter",
      "plain_total 1",
      "# TYPE depth gauge",
      'depth{queue="q"} -1.5',
      "",
    ].join("\n"),
  );
});

Deno.test("histogram buckets are cumulative, bounds belong to their bucket, and the last one holds all", () => {
  const metrics = new PrometheusMetrics();
  for (const seconds of [0.005, 0.006, 0.3, 1000]) metrics.histogram("t_seconds", seconds, { c: "x" });
  const lines = metrics.text().split("\n");
  assert.ok(lines.includes('t_seconds_bucket{c="x",le="0.005"} 1'));
  assert.ok(lines.includes('t_seconds_bucket{c="x",le="0.01"} 2'));
  assert.ok(lines.includes('t_seconds_bucket{c="x",le="0.25"} 2'));
  assert.ok(lines.includes('t_seconds_bucket{c="x",le="60"} 3'));
  assert.ok(lines.includes('t_seconds_bucket{c="x",le="+Inf"} 4'));
  assert.ok(lines.includes('t_seconds_count{c="x"} 4'));
  assert.ok(lines.includes('t_seconds_sum{c="x"} 1000.311'));
});

Deno.test("series are bounded: beyond the limit counts go to one series, new gauges are dropped", () => {
  const metrics = new PrometheusMetrics({ maxSeries: 2 });
  for (const name of ["a", "b", "c", "d", "a"]) {
    metrics.counter("n_total", { name });
    metrics.gauge("g", 1, { name });
  }
  const lines = metrics.text().split("\n");
  assert.deepEqual(lines.filter((line) => line.startsWith("n_total")), [
    'n_total{name="a"} 2',
    'n_total{name="b"} 1',
    'n_total{name="other"} 2',
  ]);
  assert.deepEqual(lines.filter((line) => line.startsWith("g{")), ['g{name="a"} 1', 'g{name="b"} 1']);
});

Deno.test("one name is one type", () => {
  const metrics = new PrometheusMetrics();
  metrics.counter("x");
  assert.throws(() => metrics.gauge("x", 1), /Metric x is a counter, not a gauge/);
});
