import assert from "node:assert/strict";
import { ForbiddenError } from "../kube/errors.ts";
import type { Logger, Metrics } from "../observe/mod.ts";
import { FakeClock, settled } from "../queue/fake_clock.ts";
import { InformerSet } from "./informers.ts";
import { ScriptedClient, widget, WIDGETS } from "./scripted_client.ts";

function running(signal?: AbortSignal) {
  const client = new ScriptedClient();
  const clock = new FakeClock();
  const lines: string[] = [];
  const counted: string[] = [];
  const write = (level: string): Logger["info"] => (message, fields) =>
    lines.push(`${level} ${message} ${fields?.kind}`);
  const log: Logger = {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
  };
  const metrics: Metrics = { counter: (name) => counted.push(name), gauge: () => {}, histogram: () => {} };
  const informers = new InformerSet({
    client,
    clock,
    log,
    metrics,
    ...(signal === undefined ? {} : { signal }),
  });
  return { client, clock, lines, counted, informers };
}

Deno.test("one informer for one selection, whoever asks and in whatever order of words; others have their own", async () => {
  const { client, informers } = running();
  const first = informers.ensure(WIDGETS, { labelSelector: "a=b", metadataOnly: true });
  assert.equal(
    informers.ensure({ ...WIDGETS, verbs: [] }, { metadataOnly: true, labelSelector: "a=b" }),
    first,
  );
  const others = [
    informers.ensure(WIDGETS, { labelSelector: "a=b" }),
    informers.ensure(WIDGETS, { labelSelector: "a=b", metadataOnly: true, namespace: "x" }),
    informers.ensure({ ...WIDGETS, version: "v2" }, { labelSelector: "a=b", metadataOnly: true }),
  ];
  await settled();
  assert.equal(client.watches.length, 4);
  assert.deepEqual(informers.all(), [first, ...others]);
  await informers.stop();
});

Deno.test("who asks later may bring an index of its own", async () => {
  const { client, informers } = running();
  const informer = informers.ensure(WIDGETS, {}, { indexes: { name: ({ metadata }) => [metadata.name] } });
  await settled();
  client.open.send("ADDED", widget("a", "1"));
  client.open.bookmark("1", true);
  await settled();
  informers.ensure(WIDGETS, {}, { indexes: { uid: ({ metadata }) => [metadata.uid ?? ""] } });
  assert.equal(informer.byIndex("name", "a").length, 1);
  assert.equal(informer.byIndex("uid", "uid-a").length, 1);
  await informers.stop();
});

Deno.test("all end with stop, or with the signal", async () => {
  const { client, clock, informers } = running();
  informers.ensure(WIDGETS, {});
  informers.ensure(WIDGETS, { namespace: "x" });
  await settled();
  await informers.stop();
  assert.ok(client.watches.every(({ options }) => options.signal.aborted));
  assert.equal(clock.timers, 0);

  const controller = new AbortController();
  const other = running(controller.signal);
  other.informers.ensure(WIDGETS, {});
  await settled();
  controller.abort();
  await settled();
  assert.equal(other.clock.timers, 0);
  await other.informers.stop();
});

Deno.test("a failure is told once, however often it repeats, is counted each time, and its end is told", async () => {
  const { client, clock, lines, counted, informers } = running();
  const forbidden = () => new ForbiddenError("forbidden", { code: 403 });
  client.refusals.push(forbidden(), forbidden(), forbidden());
  const informer = informers.ensure(WIDGETS, {});
  await clock.advance(2000);
  client.open.bookmark("1", true);
  await settled();
  assert.deepEqual(lines, [
    "warn Watch failed: forbidden Widget.test.example.com",
    "debug Watch failed: forbidden Widget.test.example.com",
    "debug Watch failed: forbidden Widget.test.example.com",
    "info Watch works again Widget.test.example.com",
  ]);
  assert.deepEqual(counted, Array(3).fill("generic_operator_watch_failures_total"));
  assert.equal(informer.restarts, 3);
  await informers.stop();
});
