/** Statuses on the fake API server: written only when they would change, with the parts of others left alone. */
import assert from "node:assert/strict";
import { InvalidError, type Resource } from "../kube/mod.ts";
import type { JsonObject, KubeObject, WantedCondition } from "../meta/mod.ts";
import { refOf } from "../meta/mod.ts";
import { resource } from "../testing/builders.ts";
import { FakeKube } from "../testing/fake_kube.ts";
import { StatusWriter, type WantedStatus } from "./status_writer.ts";

const THINGS = resource("Thing", { group: "example.com", namespaced: false });
const THING: KubeObject = {
  apiVersion: "example.com/v1",
  kind: "Thing",
  metadata: { name: "one" },
  spec: { a: 1 },
};
const SOMEBODY = { fieldManager: "somebody" };
const CONDITION_MAP = {
  type: "object",
  "x-kubernetes-preserve-unknown-fields": true,
  properties: { conditions: { type: "array", "x-kubernetes-list-type": "map" } },
};

function ready(status: "True" | "False", message = "m"): WantedCondition {
  return { type: "Ready", status, reason: "R", message };
}

function wanted(more: Partial<WantedStatus> = {}): WantedStatus {
  return { conditions: [ready("True")], fields: { revision: 1 }, printed: {}, ...more };
}

async function worldOf({ schema, things = THINGS }: { schema?: JsonObject; things?: Resource } = {}) {
  const kube = new FakeKube([things]);
  await kube.client.create(things, THING, SOMEBODY);
  let time = Date.UTC(2026, 0, 1);
  const writer = new StatusWriter({
    client: kube.client,
    fieldManager: "engine",
    schema: () => schema,
    now: () => new Date(time),
  });
  const stored = () => kube.stored(refOf(THING)) ?? THING;
  return {
    kube,
    writer,
    stored,
    status: () => Object(stored().status),
    /** A second passes, then the writer is asked; from what it sees (default: what is stored). */
    write: async (status: WantedStatus, seen: KubeObject = stored()) => {
      time += 1_000;
      kube.calls.length = 0;
      const result = await writer.write(seen, things, status);
      return { ...result, sent: kube.calls.length };
    },
    byOthers: (status: JsonObject) =>
      kube.client.patch(things, refOf(THING), { status }, { ...SOMEBODY, subresource: "status" }),
  };
}

Deno.test("written once, then not again; the transition time moves with the status of the condition only", async () => {
  const { write, status } = await worldOf();
  assert.deepEqual(await write(wanted()), { changed: true, sent: 1 });
  assert.deepEqual(status(), {
    revision: 1,
    conditions: [{ ...ready("True"), lastTransitionTime: "2026-01-01T00:00:01Z" }],
  });
  assert.deepEqual(await write(wanted()), { changed: false, sent: 0 });
  await write(wanted({ conditions: [ready("True", "other words")] }));
  assert.equal(status().conditions[0].lastTransitionTime, "2026-01-01T00:00:01Z");
  await write(wanted({ conditions: [ready("False")] }));
  assert.equal(status().conditions[0].lastTransitionTime, "2026-01-01T00:00:04Z");
});

Deno.test("a cache that lags behind our own write causes no second one, whatever the time", async () => {
  const { write, stored } = await worldOf();
  const before = stored();
  await write(wanted(), before);
  assert.deepEqual(await write(wanted(), before), { changed: false, sent: 0 });
  assert.deepEqual(await write(wanted({ fields: { revision: 2 } }), before), { changed: true, sent: 1 });
});

Deno.test("what somebody changed since then is written again", async () => {
  const { write, status, byOthers } = await worldOf();
  await write(wanted());
  await byOthers({ revision: 9 });
  assert.deepEqual(await write(wanted()), { changed: true, sent: 1 });
  assert.equal(status().revision, 1);
});

Deno.test("what the template printed stays while nothing is known of it, and goes when it is printed no more", async () => {
  const { write, status } = await worldOf();
  await write(wanted({ printed: { url: "http://a", phase: "Up" } }));
  await write(wanted({ printed: undefined, fields: { revision: 2 } }));
  assert.deepEqual([status().url, status().phase, status().revision], ["http://a", "Up", 2]);
  await write(wanted({ printed: { phase: "Up" }, fields: { revision: 2 } }));
  assert.deepEqual([status().url, status().phase], [undefined, "Up"]);
  assert.equal((await write(wanted({ printed: { phase: "Up" }, fields: { revision: 2 } }))).sent, 0);
});

Deno.test("the engine's own keys win over printed ones; keys of others stay", async () => {
  const { write, status, byOthers } = await worldOf();
  await byOthers({ theirs: "x" });
  await write(wanted({ printed: { revision: 99, conditions: "none" } }));
  assert.deepEqual([status().revision, status().theirs], [1, "x"]);
  assert.equal(status().conditions.length, 1);
});

Deno.test("a printed part that the API server refuses is left out, and said", async () => {
  const { kube, write, status } = await worldOf();
  let refusals = 0;
  kube.intercept = ({ verb }) => {
    if (verb === "apply" && refusals++ % 2 === 0) {
      throw new InvalidError("status.url: not a URL", { code: 422 });
    }
  };
  const { changed, refused, sent } = await write(wanted({ printed: { url: "?" } }));
  assert.deepEqual([changed, refused?.message, sent], [true, "status.url: not a URL", 2]);
  assert.deepEqual([status().url, status().revision], [undefined, 1]);
});

Deno.test("a refusal of the engine's own part is thrown", async () => {
  const { kube, write } = await worldOf();
  kube.intercept = () => {
    throw new InvalidError("status: no", { code: 422 });
  };
  await assert.rejects(write(wanted({ printed: undefined })), InvalidError);
  await assert.rejects(write(wanted({ printed: { a: "1" } })), InvalidError);
});

Deno.test("without a status subresource nothing is sent, and what is news is told once", async () => {
  const { write, writer, stored } = await worldOf({ things: { ...THINGS, subresources: [] } });
  assert.deepEqual(await write(wanted()), { changed: true, sent: 0 });
  assert.deepEqual(await write(wanted()), { changed: false, sent: 0 });
  assert.equal((await write(wanted({ conditions: [ready("False")] }))).changed, true);
  writer.forget(stored().metadata.uid ?? "");
  assert.equal((await write(wanted({ conditions: [ready("False")] }))).changed, true);
});

Deno.test("a schema that knows no conditions gets the rest, without a loop, and what is news is told once", async () => {
  const schema = { type: "object", properties: { revision: { type: "integer" } } };
  const { write, status } = await worldOf({ schema });
  assert.deepEqual(await write(wanted({ printed: { url: "x" } })), { changed: true, sent: 1 });
  assert.deepEqual(status(), { revision: 1 });
  assert.deepEqual(await write(wanted({ printed: { url: "x" } })), { changed: false, sent: 0 });
  assert.deepEqual(await write(wanted({ conditions: [ready("False")] })), { changed: true, sent: 0 });
});

Deno.test("conditions of others stay: in a plain list ours are written with theirs, in a list by type just ours", async () => {
  const theirs = {
    type: "Synced",
    status: "True",
    reason: "X",
    message: "",
    lastTransitionTime: "2025-01-01T00:00:00Z",
  };
  const plain = await worldOf();
  await plain.byOthers({ conditions: [theirs] });
  await plain.write(wanted());
  assert.deepEqual(plain.status().conditions.map((one: WantedCondition) => one.type), ["Synced", "Ready"]);
  assert.deepEqual(plain.status().conditions[0], theirs);
  assert.equal((await plain.write(wanted())).sent, 0);

  // The fake knows no list by type: what is sent is all that can be seen here.
  const byType = await worldOf({ schema: CONDITION_MAP });
  await byType.byOthers({ conditions: [theirs] });
  await byType.write(wanted());
  assert.deepEqual(byType.status().conditions.map((one: WantedCondition) => one.type), ["Ready"]);
  await byType.byOthers({ conditions: [theirs, ...byType.status().conditions] });
  assert.equal((await byType.write(wanted())).sent, 0);
});
