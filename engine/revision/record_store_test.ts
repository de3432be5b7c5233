/** Records on the fake API server: made, replaced as they were read, left alone when nothing changed, and never over somebody's ConfigMap. */
import assert from "node:assert/strict";
import { AlreadyExistsError, CONFIG_MAPS, ConflictError } from "../kube/mod.ts";
import { type KubeObject, type ObjectRef, refKey, refOf } from "../meta/mod.ts";
import { NAMES } from "../testing/builders.ts";
import { FakeKube } from "../testing/fake_kube.ts";
import { emptyRecord, recordAnnotations, recordName, type RecordOwner } from "./record.ts";
import { RecordStore } from "./record_store.ts";

const REF: ObjectRef = { group: "example.com", version: "v1", kind: "Thing", name: "one" };
const OWNER: RecordOwner = {
  ref: REF,
  plural: "things",
  implementation: "things.example.com",
  source: "folder:x",
};
const RECORD = { ...emptyRecord("u1"), revision: 1 };
const UNNAMED = { name: undefined, limit: 10 };
const SOMEBODY = { fieldManager: "kubectl" };

function storing() {
  const kube = new FakeKube([CONFIG_MAPS]);
  const ends: string[] = [];
  const { instance } = recordAnnotations(NAMES);
  /** What the cache shows; undefined: all that is stored. */
  const cache: { shown: readonly KubeObject[] | undefined } = { shown: undefined };
  const store = new RecordStore({
    client: kube.client,
    cache: {
      find: (key) =>
        (cache.shown ?? kube.objects()).find(({ metadata }) => metadata.annotations?.[instance] === key),
      beginWrite: (name) => ({
        done: () => ends.push(`${name} done`),
        gone: () => ends.push(`${name} gone`),
        failed: () => ends.push(`${name} failed`),
      }),
    },
    names: NAMES,
    namespace: "default",
    fieldManager: "engine",
  });
  const verbs = () => kube.calls.map(({ verb }) => verb);
  const named = (name: string): ObjectRef => ({
    group: "",
    version: "v1",
    kind: "ConfigMap",
    namespace: "default",
    name,
  });
  return { kube, store, ends, cache, verbs, named };
}

Deno.test("the first save makes it under its default name, and it can be loaded without a request", async () => {
  const { kube, store, ends, verbs, named } = storing();
  assert.equal(store.load(OWNER), undefined);
  assert.equal(await store.save(OWNER, RECORD, UNNAMED), true);
  const object = kube.stored(named(recordName(REF)));
  assert.equal(object?.metadata.labels?.[NAMES.component], "record");
  assert.deepEqual(store.load(OWNER), { record: RECORD, damaged: [] });
  assert.deepEqual(verbs(), ["create"]);
  assert.deepEqual(ends, [`${recordName(REF)} done`]);
});

Deno.test("the same content costs no request; another replaces the very version that was read", async () => {
  const { kube, store, cache, verbs, ends } = storing();
  await store.save(OWNER, RECORD, UNNAMED);
  assert.equal(await store.save(OWNER, RECORD, UNNAMED), false);
  const old = kube.objects();
  assert.equal(await store.save(OWNER, { ...RECORD, revision: 2 }, UNNAMED), true);
  assert.equal(store.load(OWNER)?.record.revision, 2);
  assert.deepEqual(verbs(), ["create", "replace"]);

  cache.shown = old;
  await assert.rejects(store.save(OWNER, { ...RECORD, revision: 3 }, UNNAMED), ConflictError);
  assert.equal(ends.at(-1), `${recordName(REF)} failed`);
});

Deno.test("labels and annotations that others added stay; ours come back when they were changed", async () => {
  const { kube, store, named } = storing();
  await store.save(OWNER, RECORD, UNNAMED);
  const ref = named(recordName(REF));
  const { source } = recordAnnotations(NAMES);
  await kube.client.patch(CONFIG_MAPS, ref, {
    metadata: { labels: { team: "x" }, annotations: { [source]: "elsewhere", note: "y" } },
  }, SOMEBODY);
  assert.equal(await store.save(OWNER, RECORD, UNNAMED), true);
  const { labels, annotations } = kube.stored(ref)?.metadata ?? {};
  assert.deepEqual([labels?.team, annotations?.note, annotations?.[source]], ["x", "y", "folder:x"]);
  assert.equal(await store.save(OWNER, RECORD, UNNAMED), false);
});

Deno.test("a name may be asked for, and is kept when another is asked for later", async () => {
  const { kube, store, named } = storing();
  await store.save(OWNER, RECORD, { ...UNNAMED, name: "one-history" });
  await store.save(OWNER, { ...RECORD, revision: 2 }, { ...UNNAMED, name: "other-history" });
  assert.deepEqual(kube.objects().map((object) => refOf(object)), [named("one-history")]);
});

Deno.test("a ConfigMap of somebody else under the wanted name is left alone: the default name is taken", async () => {
  const { kube, store, verbs, named, ends } = storing();
  const theirs = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "one-history", namespace: "default" },
    data: { a: "1" },
  };
  await kube.client.create(CONFIG_MAPS, theirs, SOMEBODY);
  kube.calls.length = 0;
  await store.save(OWNER, RECORD, { ...UNNAMED, name: "one-history" });
  assert.deepEqual(verbs(), ["create", "create"]);
  assert.deepEqual(kube.stored(named("one-history"))?.data, { a: "1" });
  assert.equal(
    refKey(REF),
    kube.stored(named(recordName(REF)))?.metadata.annotations?.[recordAnnotations(NAMES).instance],
  );
  assert.deepEqual(ends, ["one-history failed", `${recordName(REF)} done`]);
});

Deno.test("when even the default name is taken, a number is added; when all are, that is said", async () => {
  const { kube, store, verbs } = storing();
  const take = (name: string) =>
    kube.client.create(CONFIG_MAPS, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name, namespace: "default" },
    }, SOMEBODY);
  for (const suffix of ["", "-2", "-3", "-4"]) await take(`${recordName(REF)}${suffix}`);
  kube.calls.length = 0;
  await assert.rejects(store.save(OWNER, RECORD, UNNAMED), AlreadyExistsError);
  assert.deepEqual(verbs(), ["create", "create", "create", "create"]);
  const ref = {
    group: "",
    version: "v1",
    kind: "ConfigMap",
    namespace: "default",
    name: `${recordName(REF)}-3`,
  };
  await kube.client.delete(CONFIG_MAPS, ref, { uid: kube.stored(ref)?.metadata.uid ?? "" });
  await store.save(OWNER, RECORD, UNNAMED);
  assert.equal(kube.stored(ref)?.metadata.labels?.["generic-operator.io/component"], "record");
});
