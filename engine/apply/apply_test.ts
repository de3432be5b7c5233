/** Carrying out a plan on the fake API server: what each step sends, what it answers, and what it leaves to the others. */
import assert from "node:assert/strict";
import { ApiError, ForbiddenError } from "../kube/mod.ts";
import { type KubeObject, refOf } from "../meta/mod.ts";
import { Applying, CONFIG_MAPS, DEPLOYMENTS, NAMESPACES, SOMEBODY, told } from "../testing/applying.ts";
import { configMap, manifest, NAMES, resource } from "../testing/builders.ts";

const ONE = configMap("one", "default");
const TWO = configMap("two", "default");
const SHOP: KubeObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } };

Deno.test("what is not there is made with one request, and is in the inventory with its UID", async () => {
  const world = new Applying();
  const outcome = await world.round(manifest(ONE), manifest(TWO, { keep: "always" }));
  assert.deepEqual(world.sent(), ["apply one", "apply two"]);
  assert.deepEqual(told(outcome), ["created one", "created two"]);
  assert.equal(outcome.complete, true);
  assert.deepEqual(outcome.inventory.map(({ uid, keep }) => [uid, keep]), [
    [world.stored(ONE).metadata.uid, false],
    [world.stored(TWO).metadata.uid, "always"],
  ]);
  await world.round(manifest(ONE), manifest(TWO, { keep: "always" }));
  assert.deepEqual(world.sent(), []);
});

Deno.test("what differs is applied to the very object that was seen", async () => {
  const world = new Applying();
  await world.round(manifest(ONE));
  const { metadata: { uid } } = world.stored(ONE);
  const wider = configMap("one", "default", { b: "2" });
  assert.deepEqual(told(await world.round(manifest(wider))), ["configured one"]);
  assert.deepEqual(world.sent(), ["apply one"]);
  assert.deepEqual(world.stored(ONE).data, { b: "2" });
  assert.equal(world.stored(ONE).metadata.uid, uid);
});

Deno.test("a namesake that took the place since the plan was made is not touched", async () => {
  const world = new Applying();
  await world.round(manifest(ONE));
  const steps = await world.plan(manifest(configMap("one", "default", { b: "2" })));
  await world.remove(ONE);
  const theirs = await world.make(ONE);
  const outcome = await world.carryOut(steps);
  assert.deepEqual(told(outcome), ["failed one NotOwned"]);
  assert.deepEqual(world.sent(), ["apply one", "apply one", "get one"]);
  assert.deepEqual(world.stored(ONE), theirs);
});

Deno.test("one that went since the plan was made is made again, with what is left to others", async () => {
  const world = new Applying();
  const ignoring = { ignore: ["data.a"] };
  await world.round(manifest(ONE, ignoring));
  const steps = await world.plan(manifest(configMap("one", "default", { a: "1", b: "2" }), ignoring));
  await world.remove(ONE);
  assert.deepEqual(told(await world.carryOut(steps)), ["created one"]);
  assert.deepEqual(world.stored(ONE).data, { a: "1", b: "2" });
  assert.equal(world.stored(ONE).metadata.labels?.[NAMES.owner], "owner-uid");
});

Deno.test("an object that is there and not ours is not overwritten; the message names its holder", async () => {
  const world = new Applying();
  const theirs = await world.make(ONE);
  const outcome = await world.round(manifest(ONE), manifest(TWO));
  assert.deepEqual(told(outcome), ["failed one NotOwned", "created two"]);
  assert.match(
    outcome.changes[0]?.message ?? "",
    /held by field manager kubectl.*generic-operator.io\/adopt=true/,
  );
  assert.deepEqual(world.stored(ONE), theirs);
  assert.deepEqual(outcome.inventory.map(({ ref }) => ref.name), ["two"]);
  assert.equal(outcome.complete, false);
});

Deno.test("one that says so is adopted, unless a living instance owns it", async () => {
  const world = new Applying();
  const { metadata } = ONE;
  await world.make({
    ...ONE,
    metadata: { ...metadata, annotations: { [NAMES.adopt]: "true" }, labels: { [NAMES.owner]: "other-uid" } },
  });
  world.owners = ["other-uid"];
  assert.deepEqual(told(await world.round(manifest(ONE))), ["failed one NotOwned"]);
  world.owners = [];
  assert.deepEqual(told(await world.round(manifest(ONE))), ["configured one"]);
  assert.equal(world.stored(ONE).metadata.labels?.[NAMES.owner], "owner-uid");
});

Deno.test("one whose label was taken away is still known by its UID, and gets it back", async () => {
  const world = new Applying();
  await world.round(manifest(ONE));
  await world.kube.client.patch(CONFIG_MAPS, refOf(ONE), { metadata: { labels: null } }, SOMEBODY);
  world.hidden.add("one"); // The caches select by label.
  const outcome = await world.round(manifest(ONE));
  assert.deepEqual(told(outcome), ["configured one"]);
  assert.deepEqual(outcome.changes[0]?.against, []);
  assert.equal(world.stored(ONE).metadata.labels?.[NAMES.owner], "owner-uid");
});

Deno.test("a namesake of one that was ours is not", async () => {
  const world = new Applying();
  await world.round(manifest(ONE));
  await world.remove(ONE);
  await world.make(ONE);
  assert.deepEqual(told(await world.round(manifest(ONE))), ["failed one NotOwned"]);
});

Deno.test("what a crash kept out of the record is ours by label and field manager", async () => {
  const world = new Applying();
  await world.round(manifest(ONE));
  world.inventory = [];
  world.hidden.add("one");
  assert.deepEqual(told(await world.round(manifest(ONE))), ["configured one"]);
});

Deno.test("content of a Namespace that could not be made is not tried; others go on", async () => {
  const world = new Applying();
  await world.make(SHOP, NAMESPACES);
  const outcome = await world.round(manifest(SHOP), manifest(configMap("inside", "shop")), manifest(TWO));
  assert.deepEqual(told(outcome), ["failed shop NotOwned", "skipped inside Waiting", "created two"]);
  assert.match(outcome.changes[1]?.message ?? "", /Namespace shop is not there/);
  assert.equal(outcome.complete, false);
});

Deno.test("a document that fails keeps neither the others nor old entries", async () => {
  const world = new Applying();
  await world.round(manifest(ONE), manifest(TWO));
  world.kube.intercept = ({ subject }) => {
    if (subject.endsWith("one")) throw new ApiError("Out of order", { code: 500 });
    if (subject.endsWith("two")) throw new ApiError("Refused", { code: 403, reason: "Forbidden" });
  };
  const [before] = world.inventory;
  const wider = { b: "2" };
  const outcome = await world.round(
    manifest(configMap("one", "default", wider)),
    manifest(configMap("two", "default", wider)),
    manifest(configMap("three", "default")),
  );
  assert.deepEqual(told(outcome), ["failed one ApiError", "failed two Forbidden", "created three"]);
  assert.equal(outcome.changes[0]?.message, "Out of order");
  assert.deepEqual(outcome.inventory[0], before);
  assert.equal(outcome.inventory.length, 3);
});

Deno.test("an API server that asks to wait is left in peace for the rest of the round", async () => {
  const world = new Applying();
  world.kube.intercept = ({ subject }) => {
    if (subject.endsWith("one")) throw new ApiError("Too many", { code: 429, retryAfterMs: 5_000 });
  };
  const outcome = await world.round(manifest(ONE), manifest(TWO));
  assert.deepEqual(told(outcome), ["failed one ApiError", "skipped two Waiting"]);
  assert.equal(outcome.retryAfterMs, 5_000);
  assert.deepEqual(world.sent(), ["apply one"]);
});

Deno.test("entries of what is rendered no more stay behind the others until they are pruned", async () => {
  const world = new Applying();
  await world.round(manifest(ONE), manifest(TWO));
  const outcome = await world.round(manifest(TWO));
  assert.deepEqual(outcome.inventory.map(({ ref }) => ref.name), ["two", "one"]);
  assert.equal(outcome.complete, true);
});

Deno.test("a round that is ended says of each object that it was not reached, and keeps what is known", async () => {
  const world = new Applying();
  await world.round(manifest(ONE));
  world.proceed = () => false;
  const outcome = await world.round(manifest(configMap("one", "default", { b: "2" })), manifest(TWO));
  assert.deepEqual(world.sent(), []);
  assert.deepEqual(told(outcome), ["skipped one Waiting", "skipped two Waiting"]);
  assert.deepEqual(outcome.inventory.map(({ ref }) => ref.name), ["one"]);
  assert.equal(outcome.complete, false);
});

Deno.test("`_wait`: nothing after it until it is ready; asked once a round, and never again once it was", async () => {
  const world = new Applying();
  const deployment: KubeObject = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "default" },
    spec: { replicas: 1 },
  };
  const manifests = [manifest(deployment, { wait: {} }), manifest(ONE)];
  const first = await world.round(...manifests);
  assert.deepEqual(told(first), ["created web", "skipped one Waiting"]);
  assert.match(first.waitingFor ?? "", /^Deployment.apps default\/web /);
  assert.equal(first.complete, false);

  await world.round(...manifests);
  assert.deepEqual(world.sent(), ["get web"]);

  const status = {
    replicas: 1,
    readyReplicas: 1,
    availableReplicas: 1,
    updatedReplicas: 1,
    observedGeneration: 1,
  };
  await world.kube.client.patch(DEPLOYMENTS, refOf(deployment), { status }, {
    ...SOMEBODY,
    subresource: "status",
  });
  const ready = await world.round(...manifests);
  assert.deepEqual(world.sent(), ["get web", "apply one"]);
  assert.deepEqual([ready.complete, ready.waitingFor], [true, undefined]);

  await world.round(...manifests);
  assert.deepEqual(world.sent(), []);
});

Deno.test("`_wait` with a limit: it goes on waiting, and says that it takes too long", async () => {
  const world = new Applying();
  const namespace: KubeObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: "slow" } };
  const manifests = [manifest(namespace, { wait: { timeoutMs: 90_000 } }), manifest(ONE)];
  assert.doesNotMatch((await world.round(...manifests)).waitingFor ?? "", /longer/);
  world.now = new Date(Date.now() + 100_000);
  const late = await world.round(...manifests);
  assert.match(late.waitingFor ?? "", /Namespace slow phase is .*, longer than its _wait allows$/);
  assert.deepEqual(told(late), ["unchanged slow", "skipped one Waiting"]);
});

Deno.test("a Namespace that is alive takes content, even when it could not be brought up to date", async () => {
  const world = new Applying();
  const namespace: KubeObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } };
  const labelled: KubeObject = { ...namespace, metadata: { name: "shop", labels: { a: "b" } } };
  const inside: KubeObject = { ...ONE, metadata: { ...ONE.metadata, namespace: "shop" } };
  await world.round(manifest(namespace));
  world.kube.intercept = ({ verb, subject }) => {
    if (verb === "apply" && subject.includes("Namespace")) {
      throw new ForbiddenError("Apply was refused", { code: 403, reason: "Forbidden" });
    }
  };
  const outcome = await world.round(manifest(labelled), manifest(inside));
  assert.deepEqual(told(outcome), ["failed shop Forbidden", "created one"]);
});

Deno.test("a Namespace that comes later in the order lets nothing into it before it is ours", async () => {
  const world = new Applying();
  world.namespaces = [];
  const namespace: KubeObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: "kube-system" } };
  const inside: KubeObject = { ...ONE, metadata: { ...ONE.metadata, namespace: "kube-system" } };
  const outcome = await world.round(manifest(inside, { wait: {} }), manifest(namespace));
  assert.deepEqual(told(outcome), ["skipped one Waiting", "skipped kube-system Waiting"]);
  assert.match(
    outcome.changes[0]?.message ?? "",
    /Namespace kube-system is not ours \(yet\): render it before/,
  );
  assert.deepEqual(world.sent(), []);
});

Deno.test("`_wait` on what could not be made is a barrier, too", async () => {
  const world = new Applying();
  await world.make(ONE);
  const outcome = await world.round(manifest(ONE, { wait: {} }), manifest(TWO));
  assert.deepEqual(told(outcome), ["failed one NotOwned", "skipped two Waiting"]);
  assert.equal(outcome.waitingFor, "ConfigMap default/one is not there");
});

Deno.test("what is waited for and cannot be read: a failure and a barrier, but what was written is remembered", async () => {
  const world = new Applying();
  world.kube.intercept = ({ verb }) => {
    if (verb === "get") throw new ForbiddenError("Get was refused", { code: 403, reason: "Forbidden" });
  };
  const outcome = await world.round(manifest(ONE, { wait: {} }), manifest(TWO));
  assert.deepEqual(told(outcome), ["failed one Forbidden", "skipped two Waiting"]);
  assert.deepEqual(outcome.inventory.map(({ uid }) => uid), [world.stored(ONE).metadata.uid]);
  await world.round(manifest(ONE, { wait: {} }), manifest(TWO));
  assert.deepEqual(world.sent(), ["get one"]);
});

Deno.test("an object that is being deleted, and a kind that is still to come, are skipped with the reason", async () => {
  const world = new Applying();
  await world.round(manifest(ONE));
  await world.kube.client.patch(
    CONFIG_MAPS,
    refOf(ONE),
    { metadata: { finalizers: ["acme.example/x"] } },
    SOMEBODY,
  );
  await world.remove(ONE);
  world.kube.withdraw(DEPLOYMENTS);
  const crd: KubeObject = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "deployments.apps" },
    spec: { group: "apps", names: { kind: "Deployment" } },
  };
  world.kube.serve(
    resource("CustomResourceDefinition", { group: "apiextensions.k8s.io", namespaced: false }),
  );
  const coming: KubeObject = {
    ...crd,
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "default" },
  };
  const outcome = await world.round(manifest(crd), manifest(ONE), manifest(coming));
  assert.deepEqual(told(outcome), [
    "created deployments.apps",
    "skipped one Terminating",
    "skipped web WaitingForKind",
  ]);
  assert.match(outcome.changes[1]?.message ?? "", /finalizers: acme.example\/x/);
  assert.deepEqual(outcome.inventory.map(({ ref }) => ref.name), ["deployments.apps", "one"]);
});

Deno.test("what is not an error of a request is thrown on: a bug", async () => {
  const world = new Applying();
  world.kube.intercept = () => {
    throw "No error at all";
  };
  await assert.rejects(world.round(manifest(ONE)), (thrown) => thrown === "No error at all");
});
