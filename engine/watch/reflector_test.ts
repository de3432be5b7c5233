import assert from "node:assert/strict";
import type { ReadObject } from "../kube/client.ts";
import {
  ApiError,
  ForbiddenError,
  GoneError,
  InvalidError,
  NotFoundError,
  TooManyRequestsError,
} from "../kube/errors.ts";
import { FakeClock, settled } from "../queue/fake_clock.ts";
import { type ObjectEvent, Reflector } from "./reflector.ts";
import { asRead, ScriptedClient, widget, WIDGETS } from "./scripted_client.ts";

const GONE = new GoneError("too old", { code: 410, reason: "Expired" });
const REFUSED = new ApiError("connection refused", { code: 0 });
const NO_STREAMS = new InvalidError("sendInitialEvents is forbidden", { code: 422 });

/** A reflector at work on a scripted server; `heard` tells what its target was told. Jitter is off: pauses are the full ones. */
async function running(prepare: (client: ScriptedClient) => void = () => {}) {
  const client = new ScriptedClient();
  prepare(client);
  const clock = new FakeClock();
  const heard: string[] = [];
  const failures: { readonly message: string; readonly retryInMs: number }[] = [];
  let recoveries = 0;
  const stop = new AbortController();
  const reflector = new Reflector({
    client,
    resource: WIDGETS,
    selection: { labelSelector: "a=b", metadataOnly: true },
    target: {
      beginList: () => (items: ReadonlyMap<string, ReadObject>) =>
        heard.push(`list ${[...items.keys()].join(" ")}`),
      apply: ({ type, object }: ObjectEvent) => heard.push(`${type} ${object.metadata.name}`),
    },
    clock,
    random: () => 1 - Number.EPSILON,
    onFailure: (error, retryInMs) =>
      failures.push({
        message: error instanceof Error ? error.message : String(error),
        retryInMs: Math.round(retryInMs),
      }),
    onRecovery: () => recoveries++,
  });
  const ended = reflector.run(stop.signal);
  await settled();
  return {
    client,
    clock,
    heard,
    failures,
    reflector,
    recoveries: () => recoveries,
    /** Ends it, and holds that nothing stays behind. */
    stop: async () => {
      stop.abort();
      await ended;
      assert.equal(clock.timers, 0);
    },
  };
}

/** Streams the list of no object at version 1. */
async function synced() {
  const run = await running();
  run.client.open.bookmark("1", true);
  await settled();
  assert.deepEqual(run.heard, ["list "]);
  return run;
}

Deno.test("a streamed list is given as a whole at its end, and the same watch goes on", async () => {
  const { client, heard, reflector, stop } = await running();
  const { open } = client;
  assert.equal(open.options.sendInitialEvents, true);
  assert.equal(open.options.resourceVersion, undefined);
  assert.deepEqual([open.options.labelSelector, open.options.metadataOnly], ["a=b", true]);
  open.send("ADDED", widget("a", "1"));
  open.send("ADDED", widget("b", "2"));
  open.send("DELETED", widget("b", "3"));
  await settled();
  assert.deepEqual(heard, []);
  open.bookmark("3", true);
  open.send("MODIFIED", widget("a", "4"));
  await settled();
  assert.deepEqual(heard, ["list ns/a", "MODIFIED a"]);
  assert.deepEqual([client.watches.length, client.lists.length, reflector.restarts], [1, 0, 0]);
  await stop();
});

Deno.test("the server is asked to end a watch after 5 to 10 minutes", async () => {
  const { client, stop } = await running();
  const { timeoutSeconds = 0 } = client.open.options;
  assert.ok(timeoutSeconds >= 300 && timeoutSeconds <= 600, `${timeoutSeconds}`);
  await stop();
});

Deno.test("a server that refuses streams is listed in pages, and never asked for a stream again", async () => {
  const { client, heard, clock, failures, stop } = await running(({ refusals, pages }) => {
    refusals.push(NO_STREAMS);
    pages.push(
      { items: [asRead(widget("a", "1"))], resourceVersion: "5", continueToken: "more" },
      { items: [asRead(widget("b", "2"))], resourceVersion: "5" },
    );
  });
  assert.deepEqual(heard, ["list ns/a ns/b"]);
  assert.deepEqual(
    client.lists.map(({ limit, continueToken, labelSelector }) => [limit, continueToken, labelSelector]),
    [
      [500, undefined, "a=b"],
      [500, "more", "a=b"],
    ],
  );
  assert.deepEqual([client.open.options.resourceVersion, client.open.options.sendInitialEvents], [
    "5",
    undefined,
  ]);
  assert.deepEqual(failures, []);
  client.open.fail(GONE);
  client.pages.push({ items: [], resourceVersion: "9" });
  await settled();
  await clock.advance(1000);
  assert.equal(client.lists.length, 3);
  assert.equal(client.open.options.resourceVersion, "9");
  await stop();
});

Deno.test("a server that passes over the wish for a stream is noticed by its plain bookmark", async () => {
  const { client, heard, stop } = await running();
  client.open.send("ADDED", widget("a", "1"));
  client.pages.push({ items: [asRead(widget("a", "1"))], resourceVersion: "5" });
  client.open.bookmark("4");
  await settled();
  assert.deepEqual(heard, ["list ns/a"]);
  assert.equal(client.open.options.resourceVersion, "5");
  await stop();
});

Deno.test("410 on a page: the list starts anew, and nothing half is given", async () => {
  const { client, heard, clock, stop } = await running(({ refusals, pages }) => {
    refusals.push(NO_STREAMS);
    pages.push(
      { items: [asRead(widget("a", "1"))], resourceVersion: "5", continueToken: "more" },
      GONE,
      { items: [asRead(widget("c", "7"))], resourceVersion: "8" },
    );
  });
  assert.deepEqual(heard, []);
  await clock.advance(200);
  assert.deepEqual(heard, ["list ns/c"]);
  assert.equal(client.lists.at(-1)?.continueToken, undefined);
  await stop();
});

Deno.test("a watch that the server ends goes on from the last bookmark or event, without a list", async () => {
  const { client, clock, heard, failures, reflector, stop } = await synced();
  client.open.send("ADDED", widget("a", "5"));
  await clock.advance(400_000 / 4);
  client.open.bookmark("90");
  await clock.advance(100_000);
  client.open.end();
  await settled();
  assert.equal(client.watches.length, 2, "at once, for the watch had lived long");
  assert.deepEqual([client.open.options.resourceVersion, client.open.options.sendInitialEvents], [
    "90",
    undefined,
  ]);
  client.open.send("MODIFIED", widget("a", "95"));
  await clock.advance(20_000);
  client.open.end();
  await settled();
  assert.equal(client.open.options.resourceVersion, "95");
  assert.deepEqual(heard, ["list ", "ADDED a", "MODIFIED a"]);
  assert.deepEqual([failures, client.lists, reflector.restarts], [[], [], 2]);
  await stop();
});

Deno.test("410 of a watch that lived well: a list at once; of one after the other: with pauses", async () => {
  const { client, clock, heard, stop } = await synced();
  await clock.advance(20_000);
  client.open.fail(GONE);
  await settled();
  assert.equal(client.watches.length, 2);
  assert.equal(client.open.options.sendInitialEvents, true);
  client.open.bookmark("50", true);
  client.open.fail(GONE);
  await settled();
  assert.equal(client.watches.length, 2);
  await clock.advance(200);
  assert.equal(client.watches.length, 3);
  assert.deepEqual(heard, ["list ", "list "]);
  await stop();
});

Deno.test("silence for longer than bookmarks allow ends a watch, which then goes on where it was; bookmarks keep it", async () => {
  const { client, clock, failures, reflector, stop } = await synced();
  for (let minute = 0; minute < 6; minute++) {
    await clock.advance(60_000);
    client.open.bookmark(`${minute + 2}`);
    await settled();
  }
  assert.equal(client.watches.length, 1);
  await clock.advance(149_999);
  assert.equal(client.watches.length, 1);
  await clock.advance(1);
  assert.ok(client.watches[0]?.options.signal.aborted);
  assert.equal(client.watches.length, 2);
  assert.equal(client.open.options.resourceVersion, "7");
  assert.deepEqual([failures, reflector.lastError], [[], undefined], "silence proves no failure");
  await stop();
});

Deno.test("the last error stands until a later connection works", async () => {
  const { client, clock, failures, recoveries, reflector, stop } = await synced();
  client.open.fail(REFUSED);
  await clock.advance(200);
  assert.deepEqual([failures.length, reflector.lastError, recoveries()], [1, REFUSED, 0]);
  client.open.bookmark("8");
  await settled();
  assert.deepEqual([reflector.lastError, recoveries()], [undefined, 1]);
  client.open.fail(REFUSED);
  await clock.advance(400 + 1999);
  assert.deepEqual([client.watches.length, reflector.lastError], [3, REFUSED]);
  await clock.advance(1);
  assert.deepEqual(
    [reflector.lastError, recoveries()],
    [undefined, 2],
    "a quiet watch that lives is one, too",
  );
  await stop();
});

Deno.test("a streamed list that comes to a standstill is begun anew", async () => {
  const { client, clock, heard, failures, stop } = await running();
  client.open.send("ADDED", widget("a", "1"));
  await clock.advance(150_200);
  assert.equal(failures[0]?.message, "The list did not go on for 150 s");
  assert.equal(client.watches.length, 2);
  assert.equal(client.open.options.sendInitialEvents, true);
  client.open.bookmark("2", true);
  await settled();
  assert.deepEqual(heard, ["list "]);
  await stop();
});

Deno.test("a list that hangs is given up", async () => {
  const { client, clock, failures, stop } = await running(({ refusals }) => refusals.push(NO_STREAMS));
  assert.equal(client.lists.length, 1);
  await clock.advance(150_200);
  assert.deepEqual([client.lists.length, failures.length], [2, 1]);
  await stop();
});

Deno.test("pauses double from 0.2 to 30 s, and begin anew once a watch lived well", async () => {
  const forbidden = () => new ForbiddenError("no", { code: 403 });
  const { client, clock, failures, stop } = await running(({ refusals }) => {
    for (let i = 0; i < 10; i++) refusals.push(forbidden());
  });
  await clock.advance(200_000);
  const pauses = failures.map(({ retryInMs }) => retryInMs);
  assert.deepEqual(pauses, [200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
  client.open.bookmark("1", true);
  await clock.advance(10_000);
  client.open.fail(forbidden());
  await settled();
  assert.equal(failures.at(-1)?.retryInMs, 200);
  await stop();
});

Deno.test("while nobody answers the pause stays below 10 s, so that a server that is back is found soon", async () => {
  const { clock, failures, stop } = await running(({ refusals }) => {
    for (let i = 0; i < 10; i++) refusals.push(REFUSED);
  });
  await clock.advance(60_000);
  assert.equal(Math.max(...failures.map(({ retryInMs }) => retryInMs)), 10_000);
  await stop();
});

Deno.test("a server that is back and calls our position too old is listed with the shortest pause", async () => {
  const { client, clock, failures, heard, stop } = await synced();
  for (let i = 0; i < 8; i++) client.refusals.push(REFUSED);
  client.refusals.push(GONE);
  client.open.fail(REFUSED);
  await clock.advance(60_000);
  assert.deepEqual(failures.slice(-2).map(({ retryInMs }) => retryInMs), [10_000, 200]);
  client.open.bookmark("50", true);
  await settled();
  assert.deepEqual(heard, ["list ", "list "]);
  client.open.fail(GONE);
  await settled();
  assert.equal(failures.at(-1)?.retryInMs, 400, "one 410 after the other is no restart");
  await stop();
});

Deno.test("a server that ends each watch at once is not asked without pause", async () => {
  const { client, clock, stop } = await synced();
  const watches = () => client.watches.length;
  for (let i = 0; i < 100; i++) {
    client.open.end();
    await clock.advance(100);
  }
  assert.ok(watches() < 10, `${watches()} watches in 10 s`);
  await stop();
});

Deno.test("the server's own wish for a pause is kept", async () => {
  const { failures, stop } = await running(({ refusals }) =>
    refusals.push(new TooManyRequestsError("later", { code: 429, retryAfterMs: 5000 }))
  );
  assert.equal(failures[0]?.retryInMs, 5000);
  await stop();
});

for (
  const { error, lists } of [
    { error: REFUSED, lists: false },
    { error: new ForbiddenError("no", { code: 403 }), lists: false },
    { error: new TooManyRequestsError("later", { code: 429 }), lists: false },
    { error: new NotFoundError("no such resource", { code: 404 }), lists: true },
    { error: new InvalidError("bad version", { code: 400 }), lists: true },
    { error: new ApiError("inside", { code: 500 }), lists: true },
    { error: new TypeError("unreadable"), lists: true },
  ]
) {
  Deno.test(`after ${error.name} "${error.message}" a watch ${lists ? "begins with a list" : "goes on where it was"}`, async () => {
    const { client, clock, reflector, stop } = await synced();
    client.open.fail(error);
    await settled();
    assert.equal(reflector.lastError, error);
    await clock.advance(200);
    assert.equal(client.watches.length, 2);
    assert.equal(client.open.options.sendInitialEvents ?? false, lists);
    assert.equal(client.open.options.resourceVersion, lists ? undefined : "1");
    await stop();
  });
}

Deno.test("stopping ends it in a list, in a watch and in a pause", async () => {
  const listing = await running(({ refusals }) => refusals.push(NO_STREAMS));
  await listing.stop();
  const watching = await synced();
  await watching.stop();
  const pausing = await running(({ refusals }) => refusals.push(REFUSED));
  await pausing.stop();
});
