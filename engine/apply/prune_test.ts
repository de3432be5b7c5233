/** Deleting on the fake API server: by UID only, in order, and what will not go does not keep the others. */
import assert from "node:assert/strict";
import { ConflictError, ForbiddenError, NotFoundError, NotServedError } from "../kube/mod.ts";
import { type KubeObject, refOf } from "../meta/mod.ts";
import { CONFIG_MAPS, SOMEBODY } from "../testing/applying.ts";
import { configMap, ownership, resource } from "../testing/builders.ts";
import { FakeKube } from "../testing/fake_kube.ts";
import { stamp } from "./ownership.ts";
import type { PruneStep } from "./plan.ts";
import { prune, type PruneContext, type PruneOutcome } from "./prune.ts";

async function worldOf(...names: readonly string[]) {
  const kube = new FakeKube([CONFIG_MAPS]);
  const steps: PruneStep[] = [];
  for (const name of names) {
    const wanted = stamp(configMap(name, "default"), ownership(), false);
    const { object } = await kube.client.create(CONFIG_MAPS, wanted, SOMEBODY);
    steps.push(stepFor(object));
  }
  kube.calls.length = 0;
  const ends: string[] = [];
  const context: PruneContext = {
    client: kube.client,
    mapper: kube.mapper,
    ownership: ownership(),
    live: (ref) => kube.stored(ref),
    proceed: () => true,
    beginWrite: ({ name }) => ({
      done: () => ends.push(`${name} done`),
      gone: () => ends.push(`${name} gone`),
      failed: () => ends.push(`${name} failed`),
    }),
  };
  const hold = (step: PruneStep, finalizers: readonly string[]) =>
    kube.client.patch(CONFIG_MAPS, step.ref, { metadata: { finalizers } }, SOMEBODY);
  const deletes = () =>
    kube.calls.filter(({ verb }) => verb === "delete").map(({ subject }) => subject.slice(18));
  return { kube, steps, context, ends, hold, deletes };
}

function stepFor(object: KubeObject): PruneStep {
  return { ref: refOf(object), uid: object.metadata.uid ?? "" };
}

function told({ changes }: PruneOutcome): readonly string[] {
  return changes.map(({ ref, action, reason }) =>
    `${action} ${ref.name}${reason === undefined ? "" : ` ${reason}`}`
  );
}

Deno.test("objects go in the order of the steps, and the caches hear of it", async () => {
  const { steps, context, ends, deletes } = await worldOf("a", "b");
  const [a, b] = steps;
  assert.ok(a && b);
  const outcome = await prune([b, { ...a, template: "core/a.yaml" }], context);
  assert.deepEqual(deletes(), ["b", "a"]);
  assert.deepEqual(told(outcome), ["deleted b", "deleted a"]);
  assert.equal(outcome.changes[1]?.template, "core/a.yaml");
  assert.deepEqual([...outcome.gone], [b.uid, a.uid]);
  assert.deepEqual(ends, ["b gone", "a gone"]);
});

Deno.test("one that is gone already, or whose name a namesake has, counts as gone; the namesake stays", async () => {
  const { kube, steps, context, ends } = await worldOf("a", "b");
  const [a, b] = steps;
  assert.ok(a && b);
  await kube.client.delete(CONFIG_MAPS, a.ref, a);
  const outcome = await prune([a, { ...b, uid: "another" }], context);
  assert.deepEqual(told(outcome), ["deleted a", "deleted b"]);
  assert.deepEqual([...outcome.gone], [a.uid, "another"]);
  assert.ok(kube.stored(b.ref));
  assert.deepEqual(ends, []);
});

Deno.test("what is held by a finalizer is named, not asked twice, and does not keep the others", async () => {
  const { steps, context, hold, deletes, kube } = await worldOf("a", "b");
  const [a] = steps;
  assert.ok(a);
  await hold(a, ["acme.example/x"]);
  const first = await prune(steps, context);
  assert.deepEqual(told(first), ["skipped a Terminating", "deleted b"]);
  assert.deepEqual(first.gone.has(a.uid), false);
  kube.calls.length = 0;
  const second = await prune([a], context);
  assert.deepEqual(told(second), ["skipped a Terminating"]);
  assert.match(second.changes[0]?.message ?? "", /since .*Z, held by finalizer acme.example\/x$/);
  assert.deepEqual(deletes(), []);
});

Deno.test("one by one: nothing after one that is not gone", async () => {
  const { steps, context, hold, deletes } = await worldOf("a", "b", "c");
  const [, b] = steps;
  assert.ok(b);
  await hold(b, ["acme.example/x"]);
  const outcome = await prune(steps, context, { oneByOne: true });
  assert.deepEqual(told(outcome), ["deleted a", "skipped b Terminating"]);
  assert.deepEqual(deletes(), ["a", "b"]);
});

Deno.test("a refusal is a failure of its object: its reason and words, and the others go on", async () => {
  const { kube, steps, context, ends } = await worldOf("a", "b");
  kube.intercept = ({ subject }) => {
    if (subject.endsWith("/a")) throw new ForbiddenError("Not allowed", { code: 403 });
  };
  const outcome = await prune(steps, context);
  assert.deepEqual(told(outcome), ["failed a ForbiddenError", "deleted b"]);
  assert.equal(outcome.changes[0]?.message, "Delete of ConfigMap default/a: Not allowed");
  assert.deepEqual(ends, ["a failed", "b gone"]);
});

Deno.test("objects of a kind that is served no more went with it; a mapper that fails is a failure", async () => {
  const { kube, steps, context } = await worldOf("a");
  kube.withdraw(resource("ConfigMap"));
  assert.deepEqual(told(await prune(steps, context)), ["deleted a"]);
  const down = {
    ...kube.mapper,
    servedAs: () => Promise.reject(new NotFoundError("No /apis", { code: 404 })),
    invalidate: () => {},
  };
  assert.deepEqual(told(await prune(steps, { ...context, mapper: down })), ["failed a NotFoundError"]);
});

Deno.test("an object whose version is served no more is deleted in another one", async () => {
  const { kube, steps: [a], context, deletes } = await worldOf("a");
  assert.ok(a);
  kube.withdraw(resource("ConfigMap"));
  kube.serve(resource("ConfigMap", { version: "v2" }));
  const asked: string[] = [];
  const client = {
    ...kube.client,
    delete: (...args: Parameters<typeof kube.client.delete>) => {
      asked.push(args[0].version);
      return kube.client.delete(...args);
    },
  };
  assert.deepEqual(told(await prune([a], { ...context, client })), ["deleted a"]);
  assert.deepEqual([asked, deletes()], [["v2"], ["a"]]);
  assert.equal(kube.stored(a.ref), undefined);
});

Deno.test("while the discovery of its group is incomplete, nothing counts as gone", async () => {
  const { kube, steps, context } = await worldOf("a");
  kube.withdraw(resource("ConfigMap"));
  kube.setIncomplete("");
  const outcome = await prune(steps, context);
  assert.deepEqual(told(outcome), ["failed a ApiError"]);
  assert.match(
    outcome.changes[0]?.message ?? "",
    /^Delete of ConfigMap default\/a: Discovery of group .* is incomplete$/,
  );
  assert.equal(outcome.gone.size, 0);
});

Deno.test("an endpoint that is not there says nothing about the object: a failure, and discovery is asked anew", async () => {
  const { kube, steps, context } = await worldOf("a");
  let invalidated = 0;
  kube.intercept = ({ verb }) => {
    if (verb === "delete") throw new NotServedError("404 page not found", { code: 404 });
  };
  const mapper = { ...kube.mapper, invalidate: () => void invalidated++ };
  const outcome = await prune(steps, { ...context, mapper });
  assert.deepEqual(told(outcome), ["failed a NotServedError"]);
  assert.deepEqual([outcome.gone.size, invalidated], [0, 1]);
});

Deno.test("it ends between two objects when it is told to", async () => {
  const { steps, context, deletes } = await worldOf("a", "b");
  const outcome = await prune(steps, { ...context, proceed: () => deletes().length === 0 });
  assert.deepEqual(told(outcome), ["deleted a"]);
});

Deno.test("what the record names and is not ours is left alone, and not asked for again", async () => {
  const { kube, context, deletes } = await worldOf();
  const { object } = await kube.client.create(CONFIG_MAPS, configMap("foreign", "default"), SOMEBODY);
  const outcome = await prune([stepFor(object)], { ...context, live: () => undefined }, { oneByOne: true });
  assert.deepEqual(told(outcome), ["skipped foreign NotOurs"]);
  assert.deepEqual([...outcome.gone], [object.metadata.uid]);
  assert.deepEqual(deletes(), []);
  assert.ok(kube.stored(refOf(object)));
});

Deno.test("what lost our label is looked at, and deleted when it is ours", async () => {
  const { steps, context, deletes } = await worldOf("a");
  const outcome = await prune(steps, { ...context, live: () => undefined });
  assert.deepEqual(told(outcome), ["deleted a"]);
  assert.deepEqual(deletes(), ["a"]);
});

Deno.test("a webhook that refuses a delete with 409 has not made the object gone", async () => {
  const { kube, steps, context } = await worldOf("a");
  kube.intercept = ({ verb }) => {
    if (verb === "delete") throw new ConflictError("volume still in use", { code: 409, reason: "Conflict" });
  };
  const outcome = await prune(steps, context);
  assert.deepEqual(told(outcome), ["failed a ConflictError"]);
  assert.deepEqual([...outcome.gone], []);
});

Deno.test("a conflict with a namesake that the cache has not seen yet leaves that alone", async () => {
  const { kube, steps, context } = await worldOf("a");
  const [a] = steps;
  assert.ok(a);
  const seen = kube.stored(a.ref);
  await kube.client.delete(CONFIG_MAPS, a.ref, a);
  const { object } = await kube.client.create(CONFIG_MAPS, configMap("a", "default"), SOMEBODY);
  assert.deepEqual(told(await prune(steps, { ...context, live: () => seen })), ["deleted a"]);
  assert.equal(kube.stored(a.ref)?.metadata.uid, object.metadata.uid);
});
