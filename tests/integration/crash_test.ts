/**
 * kill -9 at any moment: after the next start nothing is missing, nothing is orphaned and no finalizer is left. The program runs as a process of its
 * own; the moment is a random share of the work done, printed so that a failure can be told.
 */
import assert from "node:assert/strict";
import { configMapTemplate, dataOf, type Fixture, fixture } from "./fixture.ts";
import { until } from "./harness.ts";
import { type OperatorProcess, startProcess } from "./operator_process.ts";

const SUFFIXES = ["a", "b", "c", "d", "e"];
const FILES = Object.fromEntries(
  SUFFIXES.map((suffix) => [`core/${suffix}.yaml`, configMapTemplate(suffix)]),
);
const NAMES = Array.from({ length: 20 }, (_, i) => `crash-${i}`);
const ALL = NAMES.length * SUFFIXES.length;
/** Looking is itself work for the server: pause between two looks, in milliseconds. */
const LOOK_MS = 5;

function start(world: Fixture): OperatorProcess {
  return startProcess([
    "--mode=operator",
    "--implementation",
    world.impl.folder,
    "--kubeconfig",
    world.cluster.kubeconfigPath,
    "--namespace",
    world.namespace,
  ]);
}

async function childrenOf(world: Fixture): Promise<readonly string[]> {
  const objects = await world.cluster.list(world.configMap("x"), {
    namespace: world.namespace,
    labelSelector: `generic-operator.io/owner`,
    metadataOnly: true,
  });
  return objects.map(({ metadata }) => metadata.name).sort();
}

/** Starts the program and kills it as soon as so many children are there (or, when they go, so few). */
async function killAt(world: Fixture, isReached: (children: number) => boolean): Promise<void> {
  await using process = start(world);
  await process.says(/Serves things/, 30_000);
  while (!isReached((await childrenOf(world)).length)) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  process.kill("SIGKILL");
  const { signal } = await process.ended;
  assert.equal(signal, "SIGKILL");
}

function random(from: number, to: number): number {
  return from + Math.floor(Math.random() * (to - from));
}

Deno.test("crash: kill -9 while 20 instances x 5 children are made, changed and deleted", async (t) => {
  await using world = await fixture({ files: FILES });
  const { cluster, thing } = world;
  const everyReady = () => Promise.all(NAMES.map((name) => world.ready(name, 30_000)));

  await t.step("while they are made", async () => {
    await Promise.all(NAMES.map((name) => world.put(name, { v: "1" })));
    const moments = [random(1, 30), random(30, 60), random(60, ALL)];
    console.log(`Killed at ${moments.join(", ")} of ${ALL} children`);
    for (const moment of moments) await killAt(world, (children) => children >= moment);
  });

  await t.step(
    "some are deleted while it is down; the next start makes the rest and leaves no orphan",
    async () => {
      const deleted = NAMES.slice(0, 5);
      await Promise.all(deleted.map((name) => cluster.remove(thing.ref(name))));
      await using process = start(world);
      await process.says(/Serves things/, 30_000);
      await Promise.all(deleted.map((name) => world.gone(name, 30_000)));
      await Promise.all(NAMES.slice(5).map((name) => world.ready(name, 30_000)));
      const wanted = NAMES.slice(5).flatMap((name) => SUFFIXES.map((suffix) => `${name}-${suffix}`)).sort();
      assert.deepEqual(await childrenOf(world), wanted);
      await Promise.all(deleted.map((name) => world.put(name, { v: "1" })));
      await everyReady();
      assert.equal((await childrenOf(world)).length, ALL);
      process.kill("SIGKILL");
    },
  );

  await t.step("while templates lose a document and values change", async () => {
    await world.impl.write("core/e.yaml", "");
    await Promise.all(NAMES.map((name) => world.put(name, { v: "2" })));
    const moment = random(ALL - 19, ALL);
    console.log(`Killed at ${moment} of ${ALL} children, of which ${NAMES.length} go`);
    await killAt(world, (children) => children <= moment);
    await using process = start(world);
    await process.says(/Serves things/, 30_000);
    await everyReady();
    const wanted = NAMES.flatMap((name) => ["a", "b", "c", "d"].map((suffix) => `${name}-${suffix}`)).sort();
    assert.deepEqual(await childrenOf(world), wanted);
    for (const name of wanted) {
      assert.deepEqual(dataOf(await cluster.get(world.configMap(name))), { v: "2" }, name);
    }
  });

  await t.step("while they are deleted", async () => {
    await Promise.all(NAMES.map((name) => cluster.remove(thing.ref(name))));
    const moments = [random(50, 80), random(20, 50), random(1, 20)];
    console.log(`Killed at ${moments.join(", ")} children left`);
    for (const moment of moments) await killAt(world, (children) => children <= moment);
    await using process = start(world);
    await process.says(/Serves things/, 30_000);
    await until(
      "all instances are gone",
      async () => (await cluster.list(thing.ref("x"))).length === 0 || undefined,
      30_000,
    );
    assert.deepEqual(await childrenOf(world), []);
    process.kill("SIGTERM");
    assert.equal((await process.ended).code, 0);
  });
});
