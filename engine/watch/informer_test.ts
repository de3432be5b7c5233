import assert from "node:assert/strict";
import { ApiError, ForbiddenError, GoneError } from "../kube/errors.ts";
import type { Selection } from "../kube/client.ts";
import { FakeClock, settled } from "../queue/fake_clock.ts";
import { Informer, type ObjectChange } from "./informer.ts";
import { ScriptedClient, widget, WIDGETS } from "./scripted_client.ts";

/** An informer at work; `heard` holds changes as `old>new` resource versions. */
async function running(selection: Selection = {}) {
  const client = new ScriptedClient();
  const clock = new FakeClock();
  const stop = new AbortController();
  const heard: string[] = [];
  const listenerErrors: unknown[] = [];
  const informer = new Informer({
    client,
    resource: WIDGETS,
    selection,
    clock,
    indexes: { uid: ({ metadata }) => [metadata.uid ?? ""] },
    onListenerError: (error) => listenerErrors.push(error),
  });
  informer.onChange((change) => heard.push(describe(change)));
  const ended = informer.run(stop.signal);
  await settled();
  return {
    client,
    clock,
    informer,
    heard,
    listenerErrors,
    stop: async () => {
      stop.abort();
      await ended;
      assert.equal(clock.timers, 0);
    },
  };
}

function describe({ old, new: now }: ObjectChange): string {
  return `${old?.metadata.resourceVersion ?? ""}>${now?.metadata.resourceVersion ?? ""}`;
}

Deno.test("what was listed is there by name, as a whole and by index, with its text", async () => {
  const { client, informer, heard, stop } = await running();
  assert.equal(informer.synced, false);
  client.open.send("ADDED", widget("a", "1"));
  client.open.send("ADDED", widget("b", "2"));
  await settled();
  assert.deepEqual([informer.synced, informer.list()], [false, []]);
  client.open.bookmark("2", true);
  await settled();
  assert.equal(informer.synced, true);
  assert.equal(informer.get("ns", "a")?.metadata.resourceVersion, "1");
  assert.equal(informer.get("other", "a"), undefined);
  assert.equal(informer.get(undefined, "a"), undefined);
  assert.equal(informer.list().length, 2);
  assert.deepEqual(informer.byIndex("uid", "uid-b"), [widget("b", "2")]);
  assert.equal(informer.read("ns", "a")?.text, JSON.stringify(widget("a", "1")));
  assert.deepEqual(heard, [">1", ">2"]);
  await stop();
});

Deno.test("listeners hear of each change once; an event that was heard already is none", async () => {
  const { client, informer, heard, stop } = await running();
  const late: string[] = [];
  client.open.bookmark("1", true);
  client.open.send("ADDED", widget("a", "2"));
  await settled();
  const unsubscribe = informer.onChange((change) => late.push(describe(change)));
  client.open.send("MODIFIED", widget("a", "3"));
  client.open.send("MODIFIED", widget("a", "3"));
  client.open.send("DELETED", widget("b", "4"));
  await settled();
  unsubscribe();
  client.open.send("DELETED", widget("a", "5"));
  await settled();
  assert.deepEqual(heard, [">2", "2>3", "3>"]);
  assert.deepEqual(late, ["2>3"]);
  await stop();
});

Deno.test("a fresh list after a time away tells what vanished, what changed and what is another object of the same name", async () => {
  const { client, clock, heard, informer, stop } = await running();
  for (const name of ["gone", "same", "changed", "other"]) {
    client.open.send("ADDED", widget(name, `1-${name}`));
  }
  client.open.bookmark("1", true);
  await settled();
  const same = informer.get("ns", "same");
  heard.length = 0;
  client.open.fail(new GoneError("too old", { code: 410 }));
  await clock.advance(200);
  assert.equal(informer.list().length, 4, "until the new list is whole the old one counts");
  client.open.send("ADDED", widget("same", "1-same"));
  client.open.send("ADDED", widget("changed", "2-changed"));
  client.open.send("ADDED", widget("other", "2-other", "uid-2"));
  client.open.send("ADDED", widget("new", "2-new"));
  client.open.bookmark("9", true);
  await settled();
  assert.deepEqual(
    heard.toSorted(),
    ["1-changed>2-changed", "1-gone>", "1-other>", ">2-new", ">2-other"].toSorted(),
  );
  assert.equal(informer.get("ns", "gone"), undefined);
  assert.equal(informer.get("ns", "same"), same, "what did not change costs no memory anew");
  await stop();
});

Deno.test("an own write is read at once, its text too, and listeners hear of it when the watch tells", async () => {
  const { client, informer, heard, stop } = await running();
  client.open.send("ADDED", widget("a", "1"));
  client.open.bookmark("1", true);
  await settled();
  informer.beginWrite("ns", "a").done(widget("a", "2"), "the text");
  assert.deepEqual(informer.read("ns", "a"), { object: widget("a", "2"), text: "the text" });
  informer.beginWrite("ns", "b").done(widget("b", "3"));
  assert.equal(informer.read("ns", "b")?.text, JSON.stringify(widget("b", "3")));
  assert.equal(informer.byIndex("uid", "uid-b").length, 1);
  assert.deepEqual(heard, [">1"]);
  client.open.send("MODIFIED", widget("a", "2"));
  client.open.send("ADDED", widget("b", "3"));
  await settled();
  assert.deepEqual(heard, [">1", "1>2", ">3"]);
  informer.beginWrite("ns", "a").gone();
  assert.equal(informer.get("ns", "a"), undefined);
  assert.equal(informer.list().length, 1);
  await stop();
});

Deno.test("an informer of metadata keeps no texts", async () => {
  const { client, informer, stop } = await running({ metadataOnly: true });
  client.open.send("ADDED", widget("a", "1"));
  client.open.bookmark("1", true);
  await settled();
  assert.equal(informer.get("ns", "a")?.metadata.name, "a");
  assert.throws(() => informer.read("ns", "a"), /Widget.test.example.com keeps no texts/);
  await stop();
});

Deno.test("a listener that throws does not keep the others from hearing, nor the watch from going on", async () => {
  const { client, informer, heard, listenerErrors, stop } = await running();
  const bug = new Error("bug");
  informer.onChange(() => {
    throw bug;
  });
  const after: string[] = [];
  informer.onChange((change) => after.push(describe(change)));
  client.open.send("ADDED", widget("a", "1"));
  client.open.bookmark("1", true);
  client.open.send("MODIFIED", widget("a", "2"));
  await settled();
  assert.deepEqual([heard, after], [[">1", "1>2"], [">1", "1>2"]]);
  assert.deepEqual(listenerErrors, [bug, bug]);
  assert.equal(client.watches.length, 1);
  await stop();
});

Deno.test("whenSynced waits for the first list, for all who ask", async () => {
  const { client, informer, clock, stop } = await running();
  const waiting = [informer.whenSynced(), informer.whenSynced({ timeoutMs: 1000 })];
  const before = clock.timers;
  client.open.bookmark("1", true);
  await Promise.all(waiting);
  assert.equal(clock.timers, before - 1, "no timer stays");
  await informer.whenSynced({ timeoutMs: 0 });
  await stop();
});

Deno.test("whenSynced says why when its time is over", async () => {
  const { client, informer, clock, stop } = await running();
  const broken = new ApiError("etcd has no leader", { code: 500 });
  client.open.fail(broken);
  await settled();
  const waiting = assert.rejects(informer.whenSynced({ timeoutMs: 1500 }), {
    message: "The cache of Widget.test.example.com is not in step after 1.5 s: etcd has no leader",
    cause: broken,
  });
  client.refusals.push(...Array.from({ length: 9 }, () => broken));
  await clock.advance(1500);
  await waiting;
  assert.equal(informer.lastError, broken);
  await stop();
});

Deno.test("whenSynced does not wait for a watch that is refused", async () => {
  const { client, informer, stop } = await running();
  const forbidden = new ForbiddenError("widgets is forbidden: User x cannot list", { code: 403 });
  const waiting = assert.rejects(informer.whenSynced({ timeoutMs: 60_000 }), forbidden);
  client.open.fail(forbidden);
  await waiting;
  await assert.rejects(informer.whenSynced({ timeoutMs: 60_000 }), forbidden);
  await stop();
});

Deno.test("whenSynced ends with its signal", async () => {
  const { informer, stop } = await running();
  const controller = new AbortController();
  const waiting = assert.rejects(informer.whenSynced({ signal: controller.signal }), { message: "enough" });
  controller.abort(new Error("enough"));
  await waiting;
  await assert.rejects(informer.whenSynced({ signal: controller.signal }), { message: "enough" });
  await stop();
});
