/**
 * The API server goes away and comes back, as at every upgrade of a cluster: watches resume by themselves, what changes right after the start is
 * handled, and nothing is written twice.
 */
import assert from "node:assert/strict";
import { startControlPlane } from "../../tools/control_plane/control_plane.ts";
import { configMapTemplate, dataOf, fixture, statusOf } from "./fixture.ts";
import { until } from "./harness.ts";
import { auditMark, requestsSince, writesOf } from "./requests.ts";

const AWAY_MS = 20_000;

Deno.test("API server: away for 20 s, then back", async () => {
  await using plane = await startControlPlane({ auditLog: true, controllerManager: false });
  await using world = await fixture({
    files: { "core/a.yaml": configMapTemplate("a"), "core/b.yaml": configMapTemplate("b") },
    controlPlane: { kubeconfigPath: plane.kubeconfigPath, auditLogPath: plane.auditLogPath },
  });
  const { cluster, thing } = world;
  await using operator = world.start();
  const names = ["changed", "touched", "still"];
  for (const name of names) await world.put(name, { v: "1" });
  for (const name of names) await world.ready(name);
  await until("all Events are written", async () => {
    const written = writesOf(await requestsSince(cluster, 0, operator));
    return written.filter((line) => line.startsWith("create events")).length === names.length || undefined;
  });
  const from = await auditMark(cluster);

  await plane.stopApiServer();
  await new Promise((resolve) => setTimeout(resolve, AWAY_MS));
  await plane.startApiServer();
  await until("the server takes a change", () => world.put("changed", { v: "2" }).then(() => true));
  await until(
    "the server takes a deletion",
    () => cluster.remove(world.configMap("touched-a")).then(() => true),
  );

  await until("the change is handled", async () => {
    const data = await Promise.all(
      ["a", "b"].map((suffix) => cluster.get(world.configMap(`changed-${suffix}`))),
    );
    return data.every((object) => dataOf(object).v === "2") || undefined;
  }, 30_000);
  await until("the child is back", () => cluster.get(world.configMap("touched-a")), 30_000);
  assert.equal(statusOf(await world.ready("changed")).revision, 2);
  for (const name of ["touched", "still"]) assert.equal(statusOf(await world.ready(name)).revision, 1, name);

  const expected = [
    "create events",
    "create events",
    "patch configmaps/changed-a",
    "patch configmaps/changed-b",
    "patch configmaps/touched-a",
    `patch things.${thing.group}/status/changed`,
    "update configmaps/(record of changed)",
    "update configmaps/(record of touched)",
  ];
  const plain = async () =>
    writesOf(await requestsSince(cluster, from, operator)).map((line) =>
      line.replace(/events.*/, "events").replace(/thing-(changed|touched|still)-.*/, "(record of $1)")
    ).sort();
  await until(
    "the last Event is written",
    async () => (await plain()).length >= expected.length || undefined,
  );
  assert.deepEqual(await plain(), expected, "each write once, and none for what did not change");
});
