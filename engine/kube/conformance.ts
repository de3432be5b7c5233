/**
 * What every KubeClient must do, as tests: run on the fake in memory and on a real API server, so that the fake cannot tell stories.
 * Imported by tests only.
 */
import assert from "node:assert/strict";
import type { KubeObject, ObjectRef } from "../meta/mod.ts";
import { CONFIG_MAPS } from "./builtin.ts";
import type { KubeClient, WatchEvent } from "./client.ts";
import { AlreadyExistsError, ConflictError, NotFoundError } from "./errors.ts";

/** A client to test, and a namespace that is there and empty but for what the server puts into it. */
export interface ConformanceSubject {
  readonly client: KubeClient;
  readonly namespace: string;
  /** Called in the end. */
  readonly done?: () => void;
}

type Check = (subject: ConformanceSubject) => Promise<void>;

/** Registers one test with a step for each promise; each step asks for its own subject. */
export function kubeClientConformance(name: string, makeSubject: () => Promise<ConformanceSubject>): void {
  Deno.test(`${name} keeps the contract of KubeClient`, async (t) => {
    for (const [promise, check] of Object.entries(CHECKS)) {
      await t.step(promise, async () => {
        const subject = await makeSubject();
        await check(subject).finally(subject.done);
      });
    }
  });
}

const LABELS = { suite: "conformance" };
const OURS = { fieldManager: "engine" };
const THEIRS = { fieldManager: "kubectl" };

const CHECKS: Readonly<Record<string, Check>> = {
  "apply creates and answers with metadata under the object's own type": async ({ client, namespace }) => {
    const answer = await client.apply(CONFIG_MAPS, configMap(namespace, { a: "1" }), OURS);
    assert.deepEqual([answer.apiVersion, answer.kind], ["v1", "ConfigMap"]);
    assert.equal(answer.data, undefined);
    assert.ok(answer.metadata.uid && answer.metadata.resourceVersion);
    assert.deepEqual(ownFields(answer, "engine"), {
      "f:data": { "f:a": {} },
      "f:metadata": { "f:labels": { "f:suite": {} } },
    });
  },

  "the same apply again changes nothing": async ({ client, namespace }) => {
    const first = await client.apply(CONFIG_MAPS, configMap(namespace, { a: "1" }), OURS);
    const second = await client.apply(CONFIG_MAPS, configMap(namespace, { a: "1" }), OURS);
    assert.equal(second.metadata.resourceVersion, first.metadata.resourceVersion);
  },

  "a field that is applied no more is removed, a foreign one stays": async ({ client, namespace }) => {
    await client.apply(CONFIG_MAPS, configMap(namespace, { a: "1", b: "2" }), OURS);
    await client.patch(CONFIG_MAPS, refIn(namespace), { data: { foreign: "x" } }, THEIRS);
    await client.apply(CONFIG_MAPS, configMap(namespace, { a: "1" }), OURS);
    const { object } = await client.get(CONFIG_MAPS, refIn(namespace));
    assert.deepEqual(object.data, { a: "1", foreign: "x" });
  },

  "a field of another manager is a conflict, and is taken by force": async ({ client, namespace }) => {
    await client.apply(CONFIG_MAPS, configMap(namespace, { a: "theirs" }), THEIRS);
    const ours = configMap(namespace, { a: "ours" });
    await assert.rejects(client.apply(CONFIG_MAPS, ours, { ...OURS, force: false }), (error) => {
      assert.ok(error instanceof ConflictError && !(error instanceof AlreadyExistsError));
      assert.deepEqual(error.causes.map(({ field, reason }) => [field, reason]), [[
        ".data.a",
        "FieldManagerConflict",
      ]]);
      return true;
    });
    const taken = await client.apply(CONFIG_MAPS, ours, OURS);
    assert.equal(ownFields(taken, "kubectl")?.["f:data"], undefined);
  },

  "a change by others takes the field out of our entry, an addition does not": async (
    { client, namespace },
  ) => {
    const applied = await client.apply(CONFIG_MAPS, configMap(namespace, { a: "1", b: "2" }), OURS);
    const added = await client.patch(CONFIG_MAPS, refIn(namespace), { data: { c: "3" } }, THEIRS);
    assert.deepEqual(ownFields(added.object, "engine"), ownFields(applied, "engine"));
    const changed = await client.patch(CONFIG_MAPS, refIn(namespace), { data: { a: "9", b: null } }, THEIRS);
    assert.equal(ownFields(changed.object, "engine")?.["f:data"], undefined);
  },

  "onlyCreate creates once": async ({ client, namespace }) => {
    const object = configMap(namespace, { a: "1" });
    const made = await client.apply(CONFIG_MAPS, object, { ...OURS, onlyCreate: true });
    const again = configMap(namespace, { a: "2" });
    await assert.rejects(
      client.apply(CONFIG_MAPS, again, { ...OURS, onlyCreate: true }),
      isOf(AlreadyExistsError),
    );
    await assert.rejects(
      client.apply(CONFIG_MAPS, again, { ...THEIRS, onlyCreate: true, force: false }),
      isOf(AlreadyExistsError),
    );
    const later = await client.apply(CONFIG_MAPS, object, OURS);
    assert.equal(later.metadata.resourceVersion, made.metadata.resourceVersion);
  },

  "an apply with a UID meets that object only": async ({ client, namespace }) => {
    const object = configMap(namespace, { a: "1" });
    const other = withMetadata(object, { uid: "00000000-0000-4000-8000-000000000000" });
    await assert.rejects(client.apply(CONFIG_MAPS, other, OURS), isOf(ConflictError));
    const { metadata: { uid = "", resourceVersion } } = await client.apply(CONFIG_MAPS, object, OURS);
    await assert.rejects(client.apply(CONFIG_MAPS, other, OURS), isOf(ConflictError));
    const same = await client.apply(CONFIG_MAPS, withMetadata(object, { uid }), OURS);
    assert.equal(same.metadata.resourceVersion, resourceVersion);
  },

  "what is not there is not found": async ({ client, namespace }) => {
    const missing = refIn(namespace);
    await assert.rejects(client.get(CONFIG_MAPS, missing), isOf(NotFoundError));
    await assert.rejects(client.patch(CONFIG_MAPS, missing, { data: {} }, OURS), isOf(NotFoundError));
    await assert.rejects(client.delete(CONFIG_MAPS, missing, { uid: "x" }), isOf(NotFoundError));
    const homeless = configMap("conformance-no-such-namespace", {});
    await assert.rejects(
      client.apply(CONFIG_MAPS, homeless, { ...OURS, onlyCreate: true }),
      isOf(NotFoundError),
    );
  },

  "create refuses what exists, replace a version that is not the latest": async ({ client, namespace }) => {
    const object = configMap(namespace, { a: "1" });
    const { object: made } = await client.create(CONFIG_MAPS, object, OURS);
    await assert.rejects(client.create(CONFIG_MAPS, object, OURS), isOf(AlreadyExistsError));
    const next = withMetadata(configMap(namespace, { a: "2" }), {
      resourceVersion: made.metadata.resourceVersion ?? "",
    });
    const { object: replaced } = await client.replace(CONFIG_MAPS, next, OURS);
    assert.deepEqual([replaced.data, replaced.metadata.uid], [{ a: "2" }, made.metadata.uid]);
    await assert.rejects(client.replace(CONFIG_MAPS, next, OURS), isOf(ConflictError));
  },

  "get gives the object and its text": async ({ client, namespace }) => {
    await client.apply(CONFIG_MAPS, configMap(namespace, { "10": "a", "9": "b" }), OURS);
    const { object, text } = await client.get(CONFIG_MAPS, refIn(namespace));
    assert.deepEqual(JSON.parse(text), object);
    assert.deepEqual([object.apiVersion, object.kind], ["v1", "ConfigMap"]);
  },

  "delete wants the UID": async ({ client, namespace }) => {
    const { metadata: { uid = "" } } = await client.apply(CONFIG_MAPS, configMap(namespace, {}), OURS);
    const ref = refIn(namespace);
    await assert.rejects(
      client.delete(CONFIG_MAPS, ref, { uid: `${uid.slice(0, -1)}x` }),
      isOf(ConflictError),
    );
    assert.equal(await client.delete(CONFIG_MAPS, ref, { uid }), "gone");
    await assert.rejects(client.get(CONFIG_MAPS, ref), isOf(NotFoundError));
  },

  "a finalizer holds an object until it is taken off": async ({ client, namespace }) => {
    const held = withMetadata(configMap(namespace, {}), { finalizers: ["conformance.io/hold"] });
    const { metadata: { uid = "" } } = await client.apply(CONFIG_MAPS, held, OURS);
    assert.equal(await client.delete(CONFIG_MAPS, refIn(namespace), { uid }), "deleting");
    assert.equal(await client.delete(CONFIG_MAPS, refIn(namespace), { uid }), "deleting");
    const { object } = await client.get(CONFIG_MAPS, refIn(namespace));
    assert.ok(object.metadata.deletionTimestamp);
    await assert.rejects(
      client.apply(CONFIG_MAPS, held, { ...OURS, onlyCreate: true }),
      isOf(AlreadyExistsError),
    );
    await client.patch(CONFIG_MAPS, refIn(namespace), { metadata: { finalizers: null } }, OURS);
    await assert.rejects(client.get(CONFIG_MAPS, refIn(namespace)), isOf(NotFoundError));
  },

  "a dry run writes nothing": async ({ client, namespace }) => {
    await client.apply(CONFIG_MAPS, configMap(namespace, { a: "1" }), { ...OURS, dryRun: true });
    await assert.rejects(client.get(CONFIG_MAPS, refIn(namespace)), isOf(NotFoundError));
  },

  "list selects and pages": async ({ client, namespace }) => {
    for (const name of ["one", "two", "three"]) {
      await client.apply(CONFIG_MAPS, configMap(namespace, { name }, name), OURS);
    }
    const options = { namespace, labelSelector: "suite=conformance" };
    const first = await client.list(CONFIG_MAPS, { ...options, limit: 2 });
    assert.equal(first.items.length, 2);
    assert.ok(first.continueToken);
    const rest = await client.list(CONFIG_MAPS, { ...options, limit: 2, continueToken: first.continueToken });
    assert.equal(rest.continueToken, undefined);
    const all = [...first.items, ...rest.items];
    assert.deepEqual(all.map(({ object }) => object.metadata.name).sort(), ["one", "three", "two"]);
    for (const { object, text } of all) {
      assert.deepEqual([object.apiVersion, object.kind], ["v1", "ConfigMap"]);
      assert.deepEqual(JSON.parse(text), object);
    }
    const none = await client.list(CONFIG_MAPS, { namespace, labelSelector: "suite=other" });
    assert.deepEqual(none.items, []);
    const metadata = await client.list(CONFIG_MAPS, { ...options, metadataOnly: true });
    assert.deepEqual(
      metadata.items.map(({ object }) => [object.kind, object.data]),
      Array(3).fill(["ConfigMap", undefined]),
    );
    const one = await client.list(CONFIG_MAPS, { namespace, fieldSelector: "metadata.name=two" });
    assert.equal(one.items.length, 1);
  },

  "a watch begins with what is there and follows what happens": async ({ client, namespace }) => {
    const { metadata: { uid = "" } } = await client.apply(
      CONFIG_MAPS,
      configMap(namespace, { a: "1" }),
      OURS,
    );
    const abort = new AbortController();
    const events = client.watch(CONFIG_MAPS, {
      namespace,
      labelSelector: "suite=conformance",
      sendInitialEvents: true,
      signal: abort.signal,
    })[Symbol.asyncIterator]();
    assert.deepEqual(await nextOf(events), ["ADDED", { a: "1" }]);
    assert.deepEqual(await nextOf(events), ["BOOKMARK", true]);
    await client.apply(CONFIG_MAPS, configMap(namespace, { a: "2" }), OURS);
    assert.deepEqual(await nextOf(events), ["MODIFIED", { a: "2" }]);
    await client.patch(CONFIG_MAPS, refIn(namespace), { metadata: { labels: { suite: "left" } } }, THEIRS);
    assert.equal((await nextOf(events))[0], "DELETED");
    await client.apply(CONFIG_MAPS, configMap(namespace, { a: "3" }), OURS);
    assert.deepEqual(await nextOf(events), ["ADDED", { a: "3" }]);
    await client.delete(CONFIG_MAPS, refIn(namespace), { uid });
    assert.deepEqual(await nextOf(events), ["DELETED", { a: "3" }]);
    const last = events.next();
    abort.abort();
    assert.equal((await last).done, true);
  },

  "a watch goes on from a resourceVersion, with metadata only": async ({ client, namespace }) => {
    await client.apply(CONFIG_MAPS, configMap(namespace, { a: "1" }), OURS);
    const { resourceVersion } = await client.list(CONFIG_MAPS, { namespace });
    const changed = await client.apply(CONFIG_MAPS, configMap(namespace, { a: "2" }), OURS);
    const abort = new AbortController();
    const watch = client.watch(CONFIG_MAPS, {
      namespace,
      resourceVersion,
      metadataOnly: true,
      signal: abort.signal,
    });
    for await (const event of watch) {
      assert.ok(event.type === "MODIFIED");
      assert.deepEqual([event.object.kind, event.object.data, event.text], ["ConfigMap", undefined, ""]);
      assert.equal(event.object.metadata.resourceVersion, changed.metadata.resourceVersion);
      break;
    }
    abort.abort();
  },
};

async function nextOf(events: AsyncIterator<WatchEvent>): Promise<readonly [string, unknown]> {
  const { value, done } = await events.next();
  if (done) return ["END", undefined];
  const event: WatchEvent = value;
  if (event.type === "BOOKMARK") return [event.type, event.initialEventsEnd];
  assert.deepEqual(JSON.parse(event.text), event.object);
  return [event.type, event.object.data];
}

function isOf(kind: new (...args: never[]) => Error): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof kind, `${error} is no ${kind.name}`);
    return true;
  };
}

function configMap(namespace: string, data: Readonly<Record<string, string>>, name = "settings"): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace, labels: LABELS }, data };
}

function withMetadata(object: KubeObject, metadata: Partial<KubeObject["metadata"]>): KubeObject {
  return { ...object, metadata: { ...object.metadata, ...metadata } };
}

function refIn(namespace: string): ObjectRef {
  return { group: "", version: "v1", kind: "ConfigMap", namespace, name: "settings" };
}

function ownFields(object: KubeObject, manager: string): Readonly<Record<string, unknown>> | undefined {
  return object.metadata.managedFields?.find((entry) => entry.manager === manager)?.fieldsV1;
}
