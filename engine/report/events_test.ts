/** Events on the fake API server: each once an hour, never in the way of a round. */
import assert from "node:assert/strict";
import type { KubeObject } from "../meta/mod.ts";
import { FakeKube } from "../testing/fake_kube.ts";
import { type EventNote, EventRecorder } from "./events.ts";

const THING: KubeObject = {
  apiVersion: "example.com/v1",
  kind: "Thing",
  metadata: { name: "one", namespace: "default", uid: "u1", resourceVersion: "7" },
};
const APPLIED: EventNote = { type: "Normal", reason: "Applied", note: "created 1: ConfigMap a" };
const HOUR_MS = 3_600_000;

function recording() {
  const kube = new FakeKube();
  const errors: unknown[] = [];
  const clock = { now: Date.UTC(2026, 0, 1) };
  const recorder = new EventRecorder({
    client: kube.client,
    controller: "generic-operator.io",
    process: "generic-operator-test",
    now: () => new Date(clock.now),
    onError: (error) => errors.push(error),
  });
  return {
    kube,
    clock,
    errors,
    events: async () => {
      await recorder.flush();
      return kube.objects();
    },
    record: (event: EventNote, regarding: KubeObject = THING) => recorder.record(regarding, event),
  };
}

Deno.test("an Event names object, reason, note and who says so", async () => {
  const { record, events } = recording();
  record(APPLIED);
  const [event] = await events();
  const { metadata, apiVersion: _version, kind: _kind, ...rest } = event ?? THING;
  assert.match(metadata.name, /^one\.[0-9a-f]{10,}$/);
  assert.equal(metadata.namespace, "default");
  assert.deepEqual(rest, {
    ...APPLIED,
    eventTime: "2026-01-01T00:00:00.000000Z",
    action: "Reconcile",
    regarding: {
      apiVersion: "example.com/v1",
      kind: "Thing",
      name: "one",
      namespace: "default",
      uid: "u1",
      resourceVersion: "7",
    },
    reportingController: "generic-operator.io",
    reportingInstance: "generic-operator-test",
  });
});

Deno.test("of a cluster-scoped object it is in `default`, and a long name stays a valid one", async () => {
  const { record, events } = recording();
  record(APPLIED, { ...THING, metadata: { name: "n".repeat(253), uid: "u2" } });
  const [event] = await events();
  assert.equal(event?.metadata.namespace, "default");
  assert.ok((event?.metadata.name.length ?? 999) <= 253);
  assert.equal(Object(event?.regarding).namespace, undefined);
});

Deno.test("the same Event is written once an hour; another note or object is another Event", async () => {
  const { record, events, clock } = recording();
  record(APPLIED);
  record(APPLIED);
  clock.now += HOUR_MS - 1;
  record(APPLIED);
  assert.equal((await events()).length, 1);
  record({ ...APPLIED, note: "other" });
  record(APPLIED, { ...THING, metadata: { ...THING.metadata, uid: "u9" } });
  assert.equal((await events()).length, 3);
  clock.now += 1;
  record(APPLIED);
  assert.equal((await events()).length, 4);
});

Deno.test("one that cannot be written is told and forgotten: the next try is not held back", async () => {
  const { record, events, kube, errors } = recording();
  kube.intercept = () => {
    throw new Error("Not allowed");
  };
  record(APPLIED);
  assert.deepEqual(await events(), []);
  assert.deepEqual(errors.map(String), ["Error: Not allowed"]);
  kube.intercept = () => {};
  record(APPLIED);
  assert.equal((await events()).length, 1);
});

Deno.test("a note is cut to the 1,024 bytes that an Event may hold, between two characters", async () => {
  const { record, events } = recording();
  record({ ...APPLIED, note: "x".repeat(1024) });
  record({ ...APPLIED, note: "x".repeat(1025) });
  record({ ...APPLIED, note: `x${"ü".repeat(600)}` });
  record({ ...APPLIED, note: "🐢".repeat(300) });
  const notes = (await events()).map(({ note }) => String(note));
  const bytes = notes.map((note) => new TextEncoder().encode(note).length);
  assert.deepEqual(bytes, [1024, 1024, 1024, 1023]);
  assert.ok(
    notes.slice(1).every((note) => note.endsWith("...") && note.isWellFormed() && !note.includes("\uFFFD")),
  );
});
