import assert from "node:assert/strict";
import { FakeClock } from "../queue/fake_clock.ts";
import { ASSUMED_AFTER_LIST_MS, ASSUMED_MS, AssumingStore } from "./assumed.ts";
import type { Entry } from "./store.ts";

const KEY = "ns/a";

function entry(resourceVersion: string, uid = "u1"): Entry {
  return {
    object: { apiVersion: "v1", kind: "T", metadata: { namespace: "ns", name: "a", uid, resourceVersion } },
  };
}

/** A store whose watch knows version 1 of the object, with short words for what happens to it. */
function cache(start: Entry | undefined = entry("1")) {
  const clock = new FakeClock();
  const store = new AssumingStore(clock);
  store.addIndex("uid", ({ metadata }) => [metadata.uid ?? ""]);
  const event = (now: Entry) => store.observe(KEY, { deleted: false, entry: now });
  if (start !== undefined) event(start);
  return {
    clock,
    store,
    event,
    deletion: (last: Entry) => store.observe(KEY, { deleted: true, entry: last }),
    begin: () => store.beginWrite(KEY),
    seen: () => store.get(KEY)?.object.metadata.resourceVersion,
    listed: () => [...store.all().entries()].map(([, { object }]) => object.metadata.resourceVersion),
    list: (...items: readonly Entry[]) => {
      const began = store.beginList();
      return () => store.replace(began, new Map(items.map((item) => [KEY, item])));
    },
  };
}

Deno.test("a write is seen at once by get, list and index, and confirmed by its own event", () => {
  const { begin, seen, listed, event, store } = cache();
  begin().done(entry("2").object);
  assert.equal(seen(), "2");
  assert.deepEqual(listed(), ["2"]);
  assert.deepEqual(store.all().byIndex("uid", "u1").map(({ metadata }) => metadata.resourceVersion), ["2"]);
  const change = event(entry("2"));
  assert.equal(change.old?.object.metadata.resourceVersion, "1");
  assert.equal(seen(), "2");
  event(entry("3"));
  assert.equal(seen(), "3");
});

Deno.test("older events that were on their way do not hide the write, and tell what the watch knows", () => {
  const { begin, seen, event } = cache();
  begin().done(entry("4").object);
  const change = event(entry("2"));
  assert.deepEqual([change.old, change.new].map((e) => e?.object.metadata.resourceVersion), ["1", "2"]);
  event(entry("3"));
  assert.equal(seen(), "4");
  event(entry("4"));
  event(entry("5"));
  assert.equal(seen(), "5");
});

Deno.test("a write whose event came before its answer is not assumed, nor is one that changed nothing", () => {
  const early = cache();
  const pending = early.begin();
  early.event(entry("2"));
  early.event(entry("3"));
  pending.done(entry("2").object);
  assert.equal(early.seen(), "3");

  const unchanged = cache();
  unchanged.begin().done(entry("1").object);
  unchanged.event(entry("2"));
  assert.equal(unchanged.seen(), "2");
});

Deno.test("a created object is there before its event, and gone with the deletion of its UID", () => {
  const { begin, seen, deletion, event } = cache(undefined);
  begin().done(entry("2").object);
  assert.equal(seen(), "2");
  deletion(entry("1", "u0"));
  assert.equal(seen(), "2", "the deletion of an earlier namesake means nothing");
  event(entry("2"));
  deletion(entry("3"));
  assert.equal(seen(), undefined);
});

Deno.test("an object that left the selection by our write is gone with the deletion that the watch makes of it", () => {
  const { begin, seen, deletion } = cache();
  begin().done(entry("2").object);
  deletion(entry("2"));
  assert.equal(seen(), undefined);
});

Deno.test("a deleted object is not seen, though older events still come, until its deletion is told", () => {
  const { begin, seen, listed, event, deletion } = cache();
  begin().gone();
  assert.equal(seen(), undefined);
  assert.deepEqual(listed(), []);
  event(entry("2"));
  assert.equal(seen(), undefined);
  deletion(entry("3"));
  event(entry("4", "u2"));
  assert.equal(seen(), "4");
});

Deno.test("a deletion that the watch told before the answer hides nothing that came after", () => {
  const { begin, seen, event, deletion } = cache();
  const pending = begin();
  deletion(entry("2"));
  event(entry("3", "u2"));
  pending.gone();
  assert.equal(seen(), "3");
});

Deno.test("deleted and created again by us: late events of the first one show through never", () => {
  const { begin, seen, event, deletion } = cache();
  begin().gone();
  begin().done(entry("5", "u2").object);
  assert.equal(seen(), "5");
  event(entry("2"));
  deletion(entry("3"));
  assert.equal(seen(), "5");
  event(entry("5", "u2"));
  event(entry("6", "u2"));
  assert.equal(seen(), "6");
});

Deno.test("created and deleted by us before any event: the late events show through never", () => {
  const { begin, seen, event, deletion } = cache(undefined);
  begin().done(entry("2").object);
  begin().gone();
  event(entry("2"));
  assert.equal(seen(), undefined);
  deletion(entry("3"));
  assert.equal(seen(), undefined);
});

Deno.test("taking the last finalizer off: the object does not come back as a ghost", () => {
  const { begin, seen, deletion } = cache();
  const pending = begin();
  deletion(entry("3"));
  pending.done(entry("2").object);
  assert.equal(seen(), undefined);
});

Deno.test("two writes in a row are one assumption: the event of the first does not end the second", () => {
  const { begin, seen, event } = cache();
  begin().done(entry("2").object);
  begin().done(entry("3").object);
  event(entry("2"));
  assert.equal(seen(), "3");
  event(entry("3"));
  event(entry("4"));
  assert.equal(seen(), "4");
});

Deno.test("two writes at the same time, answered the other way round: both are awaited", () => {
  const { begin, seen, event } = cache();
  const [first, second] = [begin(), begin()];
  second.done(entry("3").object);
  first.done(entry("2").object);
  event(entry("2"));
  assert.equal(seen(), "3");
  event(entry("3"));
  event(entry("4"));
  assert.equal(seen(), "4");
});

Deno.test("a write that failed changes nothing, and a second answer counts for nothing", () => {
  const { begin, seen } = cache();
  const pending = begin();
  pending.failed();
  pending.done(entry("2").object);
  assert.equal(seen(), "1");
});

Deno.test("a list that began after the answer is believed", () => {
  const { begin, seen, list } = cache();
  begin().done(entry("2").object);
  assert.equal(list(entry("3"))().length, 1);
  assert.equal(seen(), "3");
  begin().done(entry("4").object);
  list()();
  assert.equal(seen(), undefined);
  begin().done(entry("5", "u2").object);
  begin().gone();
  list(entry("6", "u2"))();
  assert.equal(seen(), "6");
});

Deno.test("a list that began before the answer is not, but what its watch does not confirm soon is given up", async () => {
  const { begin, seen, list, clock } = cache();
  const pending = begin();
  const commit = list(entry("1"));
  pending.done(entry("2").object);
  commit();
  assert.equal(seen(), "2");
  await clock.advance(ASSUMED_AFTER_LIST_MS - 1);
  assert.equal(seen(), "2");
  await clock.advance(1);
  assert.equal(seen(), "1");
});

Deno.test("a list that holds the very write confirms it, also when it came before the answer", () => {
  const after = cache();
  const pending = after.begin();
  const commit = after.list(entry("2"));
  pending.done(entry("2").object);
  commit();
  after.event(entry("3"));
  assert.equal(after.seen(), "3");

  const before = cache();
  const other = before.begin();
  before.list(entry("2"))();
  before.event(entry("3"));
  other.done(entry("2").object);
  assert.equal(before.seen(), "3");
});

Deno.test("a list without the object, begun after its deletion began, tells the deletion", () => {
  const { begin, seen, list, event } = cache();
  const pending = begin();
  list()();
  pending.gone();
  event(entry("5", "u2"));
  assert.equal(seen(), "5");
});

Deno.test("the deletion of what was only assumed, and a list has put in doubt, is no surer than that", async () => {
  const { begin, seen, list, event, clock } = cache();
  const pending = begin();
  const commit = list();
  pending.done(entry("2").object);
  commit();
  assert.equal(seen(), "2", "somebody deleted it before the list, and no event tells");
  begin().gone();
  event(entry("9", "u2"));
  await clock.advance(ASSUMED_AFTER_LIST_MS);
  assert.equal(seen(), "9");
});

Deno.test("a write that the watch never tells is given up after a while, in get, list and index", async () => {
  for (const how of ["get", "list"] as const) {
    const { begin, seen, listed, clock } = cache();
    begin().done(entry("2").object);
    await clock.advance(ASSUMED_MS - 1);
    assert.equal(how === "get" ? seen() : listed()[0], "2");
    await clock.advance(1);
    assert.equal(how === "get" ? seen() : listed()[0], "1");
  }
});

Deno.test("a list tells what vanished, what came and what changed, and nothing of what did not", () => {
  const { store, begin, list } = cache();
  store.observe("ns/b", { deleted: false, entry: entry("7", "ub") });
  begin().done(entry("9").object);
  const changes = list(entry("1"))();
  assert.deepEqual(changes.map(({ old, new: now }) => [old?.object.metadata.uid, now]), [["ub", undefined]]);
  assert.deepEqual(list(entry("1", "u2"))().length, 1, "the same version of another UID is a change");
});
