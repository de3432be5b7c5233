/** What does not come to rest is slowed and named, and comes to rest by itself once the cause is gone. */
import assert from "node:assert/strict";
import { configMapTemplate, dataOf, fixture } from "./fixture.ts";
import { until } from "./harness.ts";
import { auditMark, requestsSince, writesOf } from "./requests.ts";

/** Writes of the operator within `ms` milliseconds. */
async function writesWithin(
  ms: number,
  world: Awaited<ReturnType<typeof fixture>>,
  operator: ReturnType<Awaited<ReturnType<typeof fixture>>["start"]>,
): Promise<number> {
  const from = await auditMark(world.cluster);
  await new Promise((resolve) => setTimeout(resolve, ms)); // a rate needs its time
  return writesOf(await requestsSince(world.cluster, from, operator)).length;
}

Deno.test("restless: a template that feeds on what it printed before is slowed and named", async () => {
  await using world = await fixture({
    files: { "core/one.yaml": configMapTemplate("one") },
    more: "values: [core/values.yaml]",
  });
  await world.impl.write("core/values.yaml", "num: [{ (previous.num or 0) + 1 }]\n");
  await using operator = world.start();
  await world.put("a");
  await world.ready("a");
  await until(
    "it is named",
    () => operator.logs.find(({ message }) => String(message).startsWith("Restless: ")),
  );
  assert.ok(await writesWithin(3_000, world, operator) <= 6);
});

Deno.test("restless: a rival that takes a field again and again is slowed down for, named, and outlasted", async () => {
  await using world = await fixture({ files: { "core/one.yaml": configMapTemplate("one") } });
  await using operator = world.start();
  await world.put("a");
  await world.put("b");
  await Promise.all([world.ready("a"), world.ready("b")]);
  const one = world.configMap("a-one");
  let isFighting = true;
  const rival = (async () => {
    for (let i = 0; isFighting; i++) {
      await world.cluster.patch(one, { data: { v: `rival ${i}` } }, { fieldManager: "rival" });
    }
  })();
  const named = await until(
    "it is named",
    () => operator.logs.find(({ message }) => String(message).startsWith("Restless: ")),
  );
  assert.match(String(named.message), /rival keeps changing ConfigMap \S+\/a-one/);
  assert.ok(await writesWithin(3_000, world, operator) <= 8);
  await world.cluster.patch(world.configMap("b-one"), { data: { v: "once" } });
  const isBack = async (name: string) =>
    dataOf(await world.cluster.get(world.configMap(name))).v === "none" || undefined;
  await until("another instance is not slowed", () => isBack("b-one"), 1_000);
  isFighting = false;
  await rival;
  await until("it is as rendered once the rival gives up", () => isBack("a-one"), 12_000);
});
