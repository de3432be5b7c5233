/** SIGTERM ends an operator of some hundred instances: a body that was being read once hung for ever. */
import assert from "node:assert/strict";
import { configMapTemplate, fixture } from "./fixture.ts";
import { conditionOf, until } from "./harness.ts";
import { startProcess } from "./operator_process.ts";

const INSTANCES = 400;

Deno.test("stop: four hundred instances, at rest and busy, each time with 0 and soon", async (t) => {
  await using world = await fixture({ files: { "core/one.yaml": configMapTemplate("one") } });
  const { cluster, thing } = world;
  const resource = await cluster.mapper.resourceFor(thing.ref("x"));
  const applyAll = async (v: string) => {
    const names = Array.from({ length: INSTANCES }, (_, i) => `x${i}`);
    for (let at = 0; at < INSTANCES; at += 20) {
      await Promise.all(names.slice(at, at + 20).map((name) => world.put(name, { v })));
    }
  };
  const start = () =>
    startProcess([
      ...["--implementation", world.impl.folder, "--kubeconfig", cluster.kubeconfigPath],
      ...["--namespace", world.namespace],
    ]);
  const areReady = async () => {
    const { items } = await cluster.client.list(resource, { resourceVersion: "0" });
    return items.length === INSTANCES &&
        items.every(({ object }) => conditionOf(object, "Ready")?.status === "True") || undefined;
  };
  const stop = async (operator: ReturnType<typeof start>) => {
    operator.kill("SIGTERM");
    let isEnded = false;
    const ended = operator.ended.then((end) => {
      isEnded = true;
      return end;
    });
    await until("the process has ended", () => isEnded || undefined, 12_000);
    assert.equal((await ended).code, 0);
  };
  await applyAll("1");

  await t.step("at rest", async () => {
    await using operator = start();
    await until("all are Ready", areReady, 90_000);
    await stop(operator);
  });

  await t.step("busy", async () => {
    await using operator = start();
    await operator.says(/Serves things/, 20_000);
    await applyAll("2");
    await stop(operator);
  });

  await t.step("what was left is done, and everything goes", async () => {
    await using operator = start();
    await until("all are Ready", areReady, 90_000);
    for (let i = 0; i < INSTANCES; i++) await cluster.remove(thing.ref(`x${i}`));
    await until(
      "all are gone",
      async () => (await cluster.client.list(resource)).items.length === 0 || undefined,
      90_000,
    );
    await stop(operator);
  });
});
