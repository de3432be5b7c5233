/** The caches of children, over informers on the fake API server. */
import assert from "node:assert/strict";
import { NotServedError } from "../kube/mod.ts";
import { ForbiddenError } from "../kube/mod.ts";
import type { ObjectRef } from "../meta/mod.ts";
import { lineLogger, PrometheusMetrics } from "../observe/mod.ts";
import { FakeClock, settled } from "../queue/fake_clock.ts";
import { configMap, NAMES, resource } from "../testing/builders.ts";
import { FakeKube } from "../testing/fake_kube.ts";
import { InformerSet } from "../watch/mod.ts";
import { ScriptedClient, WIDGETS } from "../watch/scripted_client.ts";
import { WatchedChildren } from "./child_caches.ts";

const MAPS = resource("ConfigMap");
const A: ObjectRef = { group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "a" };
const BY = { fieldManager: "engine" };
const LOG = lineLogger({ format: "text", level: "error", write: () => {}, now: () => new Date(0) });

function labelled(name: string, owner: string, implementation = "things") {
  const object = configMap(name, "default");
  const labels = { [NAMES.owner]: owner, [NAMES.implementation]: implementation };
  return { ...object, metadata: { ...object.metadata, labels } };
}

function worldOf(clock?: FakeClock) {
  const kube = new FakeKube([MAPS]);
  const woken: string[] = [];
  const { signal } = new AbortController();
  const informers = new InformerSet({
    client: kube.client,
    ...(clock === undefined ? {} : { clock }),
    log: LOG,
    metrics: new PrometheusMetrics(),
    signal,
  });
  const children = new WatchedChildren({
    informers,
    mapper: kube.mapper,
    names: NAMES,
    implementation: "things",
    signal,
    onChange: (uid) => woken.push(uid),
  });
  return { kube, woken, children, [Symbol.asyncDispose]: () => informers.stop() };
}

Deno.test("a kind is watched from when it is first needed, once, and in step when that returns", async () => {
  await using world = worldOf();
  const { kube, children } = world;
  await kube.client.create(MAPS, labelled("a", "u1"), BY);
  assert.equal(children.get(A), undefined);
  await Promise.all([children.ensure([MAPS, MAPS]), children.ensure([MAPS])]);
  assert.equal(children.get(A)?.metadata.name, "a");
  assert.equal(children.get(A)?.data, undefined, "metadata alone");
  await children.ensure([MAPS]);
  assert.equal(kube.calls.filter(({ verb }) => verb === "watch").length, 1);
});

Deno.test("only children of this implementation are seen, and found by their owner", async () => {
  await using world = worldOf();
  const { kube, children } = world;
  for (
    const object of [
      labelled("a", "u1"),
      labelled("b", "u2"),
      labelled("c", "u1", "others"),
      configMap("d", "default"),
    ]
  ) {
    await kube.client.create(MAPS, object, BY);
  }
  await children.ensure([MAPS]);
  assert.deepEqual(children.ownedBy("u1").map(({ metadata }) => metadata.name), ["a"]);
  assert.equal(children.get({ ...A, name: "c" }), undefined);
});

Deno.test("a change wakes the owner; one that changes hands wakes both", async () => {
  await using world = worldOf();
  const { kube, children, woken } = world;
  await children.ensure([MAPS]);
  await kube.client.create(MAPS, labelled("a", "u1"), BY);
  await settled();
  assert.deepEqual(woken, ["u1"]);
  await kube.client.patch(MAPS, A, { metadata: { labels: { [NAMES.owner]: "u2" } } }, BY);
  await settled();
  assert.deepEqual(woken, ["u1", "u1", "u2"]);
});

Deno.test("a kind that nobody serves is passed over, and tried again when it is needed again", async () => {
  await using world = worldOf();
  const { kube, children } = world;
  kube.withdraw(MAPS);
  await children.ensure([MAPS]);
  assert.equal(kube.calls.length, 0);
  children.beginWrite(A).failed();
  kube.serve(MAPS);
  await kube.client.create(MAPS, labelled("a", "u1"), BY);
  await children.ensure([MAPS]);
  assert.ok(children.get(A));
});

Deno.test("a kind is watched in whatever version is served, and in another one when that is served no more", async () => {
  const clock = new FakeClock();
  await using world = worldOf(clock);
  const { kube, children, woken } = world;
  const inVersion = (version: string) => resource("Gadget", { group: "x.io", version });
  const type = { group: "x.io", kind: "Gadget" };
  const gadget = (name: string) => ({ ...labelled(name, "u1"), apiVersion: "x.io/v1", kind: "Gadget" });
  kube.serve(inVersion("v1beta1"));
  await kube.client.create(inVersion("v1beta1"), gadget("a"), BY);
  await children.ensure([{ ...type, version: "v1alpha1" }]);
  const ref = (name: string) => ({ ...type, version: "v1alpha1", namespace: "default", name });
  assert.ok(children.get(ref("a")));

  kube.withdraw(inVersion("v1beta1"));
  kube.intercept = ({ verb, subject }) => {
    if ((verb === "watch" || verb === "list") && subject === "Gadget.x.io") {
      throw new NotServedError("404 page not found", { code: 404 });
    }
  };
  kube.endWatches();
  await clock.advance(1_000);
  kube.intercept = () => {};
  kube.serve(inVersion("v1"));
  await children.ensure([{ ...type, version: "v1alpha1" }]);
  await kube.client.create(inVersion("v1"), gadget("b"), BY);
  await settled();
  assert.ok(children.get(ref("b")));
  assert.ok(woken.includes("u1"));
});

Deno.test("a kind whose discovery is incomplete is not passed over: what it holds may be there", async () => {
  await using world = worldOf();
  const { kube, children } = world;
  kube.setIncomplete("x.io");
  const type = { group: "x.io", version: "v1", kind: "Gadget" };
  await assert.rejects(children.ensure([type]), /Discovery of group x\.io is incomplete/);
  kube.setIncomplete("x.io", false);
  await children.ensure([type]);
});

Deno.test("what was written is seen at once, also before its watch tells", async () => {
  await using world = worldOf();
  const { kube, children } = world;
  await children.ensure([MAPS]);
  const pending = children.beginWrite(A);
  pending.done((await kube.client.create(MAPS, labelled("a", "u1"), BY)).object);
  assert.ok(children.get(A));
});

Deno.test("a mapper that fails otherwise is a failure", async () => {
  await using world = worldOf();
  world.kube.mapper.servedAs = () => Promise.reject(new Error("No /apis"));
  await assert.rejects(world.children.ensure([MAPS]), /No \/apis/);
});

Deno.test("a wait for a cache ends with the signal, not with its time limit", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const informers = new InformerSet({
    client: new ScriptedClient(),
    log: LOG,
    metrics: new PrometheusMetrics(),
    signal,
  });
  const children = new WatchedChildren({
    informers,
    mapper: {
      resourceFor: () => Promise.resolve(WIDGETS),
      servedAs: () => Promise.resolve(WIDGETS),
      invalidate: () => {},
    },
    names: NAMES,
    implementation: "things",
    signal,
    onChange: () => {},
  });
  const waiting = children.ensure([WIDGETS]);
  controller.abort(new Error("Stop"));
  await assert.rejects(waiting, { message: "Stop" });
  await informers.stop();
});

Deno.test("a kind that is only named by the intent and cannot be watched holds nothing up", async () => {
  await using world = worldOf();
  const { kube, children } = world;
  kube.intercept = ({ verb }) => {
    if (verb === "watch" || verb === "list") throw new ForbiddenError("Watch was refused", { code: 403 });
  };
  await children.ensure([MAPS], { optional: true });
  await assert.rejects(children.ensure([MAPS]), /Watch was refused/);
  const review = resource("SelfSubjectAccessReview", { group: "authorization.k8s.io", verbs: ["create"] });
  kube.serve(review);
  kube.calls.length = 0;
  await children.ensure([review], { optional: true });
  assert.deepEqual(kube.calls, []);
});
