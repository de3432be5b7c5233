/** A broken template breaks one thing: nothing is written or deleted for the instance it breaks, the others go on, and mending it is enough. */
import assert from "node:assert/strict";
import type { ObjectRef } from "../../engine/mod.ts";
import { conditionOf, connect, startOperator, templates, toy, until } from "./harness.ts";

const GOOD = `
apiVersion: v1
kind: ConfigMap
metadata: {name: [{ name }]-good, namespace: default}
data: {v: [{ spec.v | tojson }]}
`;

/** Text of the broken template, by what is broken; `says` must stand in condition and Event. */
const BROKEN: readonly {
  readonly name: string;
  readonly text: string;
  readonly says: RegExp;
  readonly refused?: true;
}[] = [
  { name: "syntax", text: `a: 1\n[% if %]\n`, says: /core\/broken\.yaml line 2/, refused: true },
  {
    name: "undefined attribute",
    text: `a: 1\nb: [{ spec.nothing.there }]\n`,
    says: /core\/broken\.yaml line 2.*nothing/,
  },
  { name: "YAML", text: `apiVersion: v1\nkind: [\n`, says: /core\/broken\.yaml line \d/ },
  {
    name: "unknown kind",
    text: `apiVersion: nowhere.example.com/v1\nkind: Nothing\nmetadata: {name: x}\n`,
    says: /core\/broken\.yaml line 1.*Nothing/,
  },
  {
    name: "missing name",
    text: `apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: default}\n`,
    says: /core\/broken\.yaml line \d.*metadata\.name/,
  },
  {
    name: "unknown key",
    text: `${GOOD.replace("-good", "-other")}_acton: apply\n`,
    says: /core\/broken\.yaml line \d.*_acton/,
  },
];

Deno.test("broken templates", async (t) => {
  const cluster = await connect();
  const thing = toy();
  await cluster.apply(thing.crd);
  const impl = await templates(
    thing,
    { "core/good.yaml": GOOD, "core/broken.yaml": "" },
    "namespaces: [default]",
  );
  const operator = startOperator({ cluster, implementations: [impl.folder] });
  const base = thing.group.split(".")[0] ?? "";
  const [name, other] = [`${base}-one`, `${base}-two`];
  const good: ObjectRef = {
    group: "",
    version: "v1",
    kind: "ConfigMap",
    namespace: "default",
    name: `${name}-good`,
  };
  const condition = async (type: string, of = name) => conditionOf(await cluster.get(thing.ref(of)), type);
  const isReady = async () =>
    (await condition("Ready"))?.status === "True" && (await condition("Stalled"))?.status === "False" ||
    undefined;
  const events = async () => {
    const { items } = await cluster.client.list({
      group: "",
      version: "v1",
      kind: "Event",
      plural: "events",
      namespaced: true,
      subresources: [],
      verbs: [],
    }, {
      namespace: "default",
      fieldSelector: `involvedObject.name=${name}`,
    });
    return items.map(({ object }) => String(object.message));
  };
  try {
    await until("the CRD is served", () => cluster.mapper.resourceFor(thing.ref("x")));
    await cluster.apply(thing.instance(name, { v: "0", broken: true }));
    await cluster.apply(thing.instance(other, { v: "0" }));
    await until("Ready", isReady);
    let v = 0;
    for (const { name: what, text, says, refused } of BROKEN) {
      await t.step(what, async () => {
        const before = await cluster.get(good);
        const guarded = refused ? text : `[% if spec.broken %]${text}[% endif %]`;
        await impl.write("core/broken.yaml", guarded);
        await until(`${what} is told`, async () => {
          const told = [await condition("Ready"), await condition("Stalled")].map((one) =>
            String(one?.message)
          ).join();
          return says.test(told) || undefined;
        });
        v++;
        await cluster.apply(thing.instance(name, { v: String(v), broken: true }));
        await cluster.apply(thing.instance(other, { v: String(v) }));
        await until("the other instance goes on", async () => {
          const object = await cluster.get({ ...good, name: `${other}-good` });
          return JSON.stringify(object?.data) === `{"v":"${v}"}` || undefined;
        });
        if (!refused) {
          assert.equal(
            (await cluster.get(good))?.metadata.resourceVersion,
            before?.metadata.resourceVersion,
            "nothing was written",
          );
          assert.equal((await condition("Ready"))?.status, "False");
        }
        await until(
          "an Event says it",
          async () => (await events()).some((note) => says.test(note)) || undefined,
        );
        assert.ok(operator.logs.some((line) => says.test(String(line.message))), "the log says it");
        await impl.write("core/broken.yaml", "");
        await until("it heals without a restart", async () => {
          const object = await cluster.get(good);
          return await isReady() && JSON.stringify(object?.data) === `{"v":"${v}"}` || undefined;
        });
      });
    }
  } finally {
    for (const one of [name, other]) await cluster.remove(thing.ref(one)).catch(() => {});
    await until("all is gone", async () => await cluster.get(good) === undefined || undefined);
    await operator.stop();
    await impl.remove();
    cluster.close();
  }
});
