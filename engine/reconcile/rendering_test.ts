/** When there is a new revision, and what its history entry says. */
import assert from "node:assert/strict";
import { CONFIG_MAPS, InvalidError } from "../kube/mod.ts";
import { TestWorld } from "../testing/world.ts";

const SIZE = `
apiVersion: v1
kind: ConfigMap
metadata: {name: size, namespace: default}
data: {size: "[{ spec.size }]", revision: "[{ revision }]"}
`;
const VALUES = "size: [{ spec.size }]\n";
const TEMPLATES = { "core/values.yaml": VALUES, "core/size.yaml": SIZE };
const LISTED = { values: ["core/values.yaml"], templates: ["core/size.yaml"] };
const REF = { group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "size" };

async function running(): Promise<TestWorld> {
  const world = await TestWorld.start({ templates: TEMPLATES, implementation: LISTED });
  await world.put("one", { size: 1 });
  await world.rest("one");
  return world;
}

Deno.test("the first revision is 1, made when it was created", async () => {
  await using world = await running();
  const { revision, revisionTimestamp, history, spec } = world.record("one") ?? {};
  assert.deepEqual([revision, revisionTimestamp, spec], [1, "2026-01-01T00:00:00Z", { size: 1 }]);
  const [entry] = history ?? [];
  assert.equal(history?.length, 1);
  assert.equal(entry?.cause, "created");
  assert.deepEqual(entry?.by, ["somebody"]);
  assert.deepEqual(entry?.changes, []);
  assert.deepEqual([entry?.result, entry?.counts], ["complete", { created: 1 }]);
  assert.deepEqual(world.mustHave(REF).data, { size: "1", revision: "1" });
});

Deno.test("another spec with another outcome is the next revision, with what changed", async () => {
  await using world = await running();
  await world.tick(5_000);
  await world.put("one", { size: 2 });
  await world.rest("one");
  const { revision, revisionTimestamp, history } = world.record("one") ?? {};
  assert.deepEqual([revision, revisionTimestamp], [2, "2026-01-01T00:00:05Z"]);
  assert.equal(history?.at(-1)?.cause, "spec");
  assert.deepEqual(history?.at(-1)?.changes, [{ path: "spec.size", old: 1, new: 2 }]);
});

Deno.test("templates see the values of the last success; what comes of that alone is no revision", async () => {
  await using world = await running();
  const withWas = SIZE.replace("\ndata: {", `\ndata: {was: "[{ previous.size }]", `);
  await world.load({ ...TEMPLATES, "core/size.yaml": withWas }, LISTED);
  await world.put("one", { size: 2 });
  await world.round("one");
  assert.deepEqual(world.mustHave(REF).data, { size: "2", revision: "2", was: "1" });
  await world.rest("one");
  assert.deepEqual(world.mustHave(REF).data, { size: "2", revision: "2", was: "2" });
  await world.put("one", { size: 2, note: "nobody reads it" });
  await world.rest("one");
  assert.equal(world.record("one")?.revision, 2);
});

Deno.test("another spec with the same outcome is no revision, and no write", async () => {
  await using world = await running();
  await world.put("one", { size: 1, note: "nobody reads it" });
  await world.round("one");
  assert.equal(world.record("one")?.revision, 1);
  // Only the status: its observedGeneration.
  assert.deepEqual(world.sent(), ["apply Thing.example.com one"]);
});

Deno.test("other templates with another outcome are a revision for which nobody touched the spec", async () => {
  await using world = await running();
  await world.load({ ...TEMPLATES, "core/size.yaml": SIZE.replace("size:", "width:") }, LISTED);
  await world.rest("one");
  const { revision, history } = world.record("one") ?? {};
  assert.equal(revision, 2);
  assert.equal(history?.at(-1)?.cause, "templates");
  assert.deepEqual(history?.at(-1)?.changes, []);
});

Deno.test("other templates with the same outcome are no revision", async () => {
  await using world = await running();
  await world.load({ ...TEMPLATES, "core/size.yaml": `[# a word #]${SIZE}` }, LISTED);
  await world.rest("one");
  assert.equal(world.record("one")?.revision, 1);
});

Deno.test("an instance that is made again goes on with the next number", async () => {
  await using world = await running();
  await world.remove(world.things, world.thing("one"));
  await world.round("one");
  await world.put("one", { size: 1 });
  await world.rest("one");
  const { revision, history, uid } = world.record("one") ?? {};
  assert.equal(revision, 2);
  assert.equal(uid, world.mustHave(world.thing("one")).metadata.uid);
  assert.deepEqual(history?.map((entry) => `${entry.revision} ${entry.cause}`), [
    "1 created",
    "1 deleted",
    "2 created",
  ]);
});

Deno.test("a record that is gone does not make revisions start anew", async () => {
  await using world = await running();
  await world.put("one", { size: 2 });
  await world.rest("one");
  const name = world.recordObject("one")?.metadata.name ?? "";
  await world.remove(CONFIG_MAPS, { ...REF, namespace: "kube-system", name });
  await world.rest("one");
  assert.equal(world.record("one")?.revision, 3);
});

Deno.test("the record's name may be a template", async () => {
  const implementation = { ...LISTED, history: { limit: 100, name: "[{ name }]-history" } };
  await using world = await TestWorld.start({ templates: TEMPLATES, implementation });
  await world.put("one", { size: 1 });
  await world.rest("one");
  assert.equal(world.recordObject("one")?.metadata.name, "one-history");
});

Deno.test("a spec of hundreds of kilobytes, edited: remembered by size and digest, and there is rest", async () => {
  await using world = await running();
  const large = (letter: string, kib: number) => ({ size: 1, text: letter.repeat(kib * 1024) });
  await world.put("one", { ...large("a", 300), size: 2 });
  await world.rest("one");
  await world.put("one", { ...large("b", 1000), size: 3 });
  await world.rest("one");
  await world.put("one", { size: 4 });
  await world.rest("one");
  const object = world.recordObject("one");
  assert.ok(JSON.stringify(object).length < 20_000);
  const changes = world.record("one")?.history.map((entry) => entry.changes.map((change) => change.path));
  assert.deepEqual(changes, [[], ["spec.size", "spec.text"], ["spec"], ["spec"]]);
  assert.match(
    String(world.record("one")?.history[1]?.changes[1]?.new),
    /^a{900}\.\.\. \(307200 bytes, sha256:/,
  );
  assert.deepEqual(world.record("one")?.spec, { size: 4 });
});

Deno.test("other templates do not blame a spec that was too large to be kept", async () => {
  await using world = await running();
  await world.put("one", { size: 2, text: "a".repeat(300 * 1024) });
  await world.rest("one");
  await world.load({ ...TEMPLATES, "core/size.yaml": SIZE.replace("size:", "width:") }, LISTED);
  await world.rest("one");
  const last = world.record("one")?.history.at(-1);
  assert.deepEqual([last?.cause, last?.changes], ["templates", []]);
});

Deno.test("how a revision went is remembered in at most 2,000 characters", async () => {
  await using world = await running();
  world.kube.intercept = ({ verb, subject }) => {
    if (verb === "apply" && subject.startsWith("ConfigMap")) {
      throw new InvalidError("no ".repeat(100_000), { code: 422 });
    }
  };
  await world.put("one", { size: 2 });
  await world.round("one");
  const { result = "" } = world.record("one")?.history.at(-1) ?? {};
  assert.ok(result.length > 1_900 && result.length <= 2_000, `${result.length} characters`);
});
