/**
 * Hostile templates on a real API server, in both languages: ways out lead nowhere, what wants all time or memory ends at its limit with an error that
 * names its template and line, and fifty other instances go on meanwhile.
 */
import assert from "node:assert/strict";
import { CagedRenderer, type ObjectRef, RenderError } from "../../engine/mod.ts";
import { bundleOf } from "../../engine/render/testdata/bundle.ts";
import { ESCAPED, escapesOf, floodsOf } from "./cage_attacks.ts";
import { conditionOf, connect, startOperator, templates, toy, until } from "./harness.ts";

const RENDER_MS = 500;
/** Beyond its limit nothing may run longer: held to this in the cage alone. A machine with other work may need more, so the best of some tries counts. */
const SLACK_MS = 100;
const TRIES = 5;
/** The same as seen from a cluster, where fifty other instances are edited meanwhile. The times are printed. */
const MACHINE_MS = 2000;
const OTHERS = 50;
/** What the cage says of a template that did not stop by itself: it knows which one was inside, and no line. */
const STOPPED = /core\/attack\.yaml: Rendering took longer than its limit/;

const GOOD = `
apiVersion: v1
kind: ConfigMap
metadata: {name: [{ name }]-good, namespace: default}
data: {v: "[{ spec.v }]"}
`;
/** A first line that is fine, so that the error's line is told apart from none. */
const attackFile = (text: string) => `  out: |\n    ${text}\n`;
const ATTACK = `[% if spec.attack %]
apiVersion: v1
kind: ConfigMap
metadata: {name: [{ name }]-attack, namespace: default}
data:
  id: "[{ spec.attack }]"
[% include "attacks/" ~ spec.attack %]
[% endif %]`;
const PROTO = (json: string) =>
  `[% if spec.data %]
apiVersion: v1
kind: ConfigMap
metadata: {name: [{ name }]-data, namespace: default}
data: [{ spec.data | ${json} }]
[% endif %]`;

for (const language of ["jinja2", "nunjucks"] as const) {
  Deno.test(`the cage ends each flood of ${language} within ${SLACK_MS} ms of its limit`, async () => {
    const floods = floodsOf(language);
    const files = Object.entries(floods).map(([id, text]) => [`attacks/${id}`, attackFile(text)]);
    const cage = new CagedRenderer();
    const took: string[] = [];
    try {
      await cage.load(bundleOf(Object.fromEntries(files), {
        language,
        limits: { renderMs: RENDER_MS, outputBytes: 4 * 1024 * 1024 },
      }));
      for (const id of Object.keys(floods)) {
        let best = Infinity;
        for (let n = 0; n < TRIES && best > RENDER_MS + SLACK_MS; n++) {
          const started = performance.now();
          await assert.rejects(
            cage.renderDocuments(`attacks/${id}`, "{}"),
            (error) => error instanceof RenderError && error.message.includes(`attacks/${id}`),
          );
          best = Math.min(best, performance.now() - started);
        }
        took.push(`${id} ${Math.round(best)} ms`);
        assert.ok(best <= RENDER_MS + SLACK_MS, `${id} took ${best} ms at a limit of ${RENDER_MS} ms`);
      }
    } finally {
      cage.close();
    }
    console.log(`${language}, limit ${RENDER_MS} ms: ${took.join(", ")}`);
  });

  Deno.test(`the cage holds ${language}`, async (t) => {
    const cluster = await connect();
    const thing = toy();
    await cluster.apply(thing.crd);
    const [escapes, floods] = [escapesOf(language), floodsOf(language)];
    const impl = await templates(
      thing,
      {
        "core/good.yaml": GOOD,
        "core/attack.yaml": ATTACK,
        "core/data.yaml": PROTO(language === "jinja2" ? "tojson" : "dump"),
      },
      `language: ${language}\nlimits: {render: ${RENDER_MS}ms}\nnamespaces: [default]`,
    );
    for (const [id, text] of Object.entries({ ...escapes, ...floods, plain: "[{ fail('plain') }]" })) {
      await impl.write(`attacks/${id}`, attackFile(text));
    }
    const operator = startOperator({ cluster, implementations: [impl.folder] });
    const base = thing.group.split(".")[0] ?? "";
    const bad = `${base}-bad`;
    const others = Array.from({ length: OTHERS }, (_, n) => `${base}-other-${n}`);
    const configMap = (name: string): ObjectRef => (
      { group: "", version: "v1", kind: "ConfigMap", namespace: "default", name }
    );
    const dataOf = async (name: string) => (await cluster.get(configMap(name)))?.data;
    /** What comes of an attack: the error's message, or what it printed. */
    const outcome = async (attack: string, generation: number): Promise<string> =>
      await until(`an outcome of ${attack}`, async () => {
        const ready = conditionOf(await cluster.get(thing.ref(bad)), "Ready");
        if (ready?.observedGeneration !== generation) return undefined;
        if (ready.status === "True") return `printed ${JSON.stringify(await dataOf(`${bad}-attack`))}`;
        const message = String(ready.message);
        return message.includes(`attacks/${attack}`) || STOPPED.test(message) ? message : undefined;
      }, RENDER_MS + 20_000);
    let generation = 1;
    const attackWith = async (attack: string) => {
      const started = performance.now();
      await cluster.patch(thing.ref(bad), { spec: { attack } });
      const told = await outcome(attack, ++generation);
      return { told, ms: performance.now() - started };
    };
    const editOthers = async (v: string) => {
      for (const name of others) await cluster.apply(thing.instance(name, { v }));
    };
    const othersHave = (v: string) =>
      until(`the others have ${v}`, async () => {
        for (const name of others) {
          if (JSON.stringify(await dataOf(`${name}-good`)) !== JSON.stringify({ v })) return undefined;
        }
        return true;
      }, 30_000);

    try {
      await until("the CRD is served", () => cluster.mapper.resourceFor(thing.ref("x")));
      await cluster.apply(thing.instance(bad, { v: "0" }));
      await editOthers("0");
      await othersHave("0");

      await t.step("no published way out leads anywhere", async () => {
        const escaped: string[] = [];
        let refused = 0;
        for (const [id, text] of Object.entries(escapes)) {
          const { told } = await attackWith(id);
          // The message may repeat the template's own words; what a payload would print is in none of them.
          if (ESCAPED.test(told.replaceAll(text, ""))) escaped.push(`${text}: ${told}`);
          if (told.startsWith("printed ")) continue;
          refused++;
          assert.match(told, new RegExp(`attacks/${id} line 2`), text);
        }
        const count = Object.keys(escapes).length;
        console.log(
          `${language}: ${count} ways out, ${refused} refused with template and line, ` +
            `${count - refused} printed nothing of the host, ${escaped.length} escapes`,
        );
        assert.deepEqual(escaped, []);
      });

      await t.step("what wants everything ends at its limit, and the others go on", async () => {
        const plain = await attackWith("plain");
        const over: string[] = [];
        let round = 0;
        for (const id of Object.keys(floods)) {
          const v = String(++round);
          const edits = performance.now();
          const [{ told, ms }] = await Promise.all([
            attackWith(id),
            editOthers(v).then(() => othersHave(v)),
          ]);
          const othersMs = performance.now() - edits;
          const stopped = STOPPED.test(told);
          if (!stopped) assert.match(told, new RegExp(`attacks/${id} line 2`), told);
          const beyond = ms - plain.ms - RENDER_MS;
          over.push(
            `${id}${stopped ? " (stopped from outside)" : ""} ${Math.round(ms)} ms (others ${
              Math.round(othersMs)
            } ms)`,
          );
          assert.ok(
            beyond < SLACK_MS + MACHINE_MS,
            `${id} took ${ms} ms, of which ${plain.ms} are not its own`,
          );
        }
        console.log(
          `${language}: an error is told after ${Math.round(plain.ms)} ms, the limit is ${RENDER_MS} ms; ${
            over.join(", ")
          }`,
        );
      });

      await t.step("__proto__ is data, and stays data", async () => {
        const data: Record<string, string> = JSON.parse(`{"__proto__":"a","constructor":"b","toString":"c"}`);
        const name = `${base}-proto`;
        await cluster.apply(thing.instance(name, { v: "0", data }));
        const stored = await until("the ConfigMap", () => dataOf(`${name}-data`));
        assert.equal(JSON.stringify(stored), `{"__proto__":"a","constructor":"b","toString":"c"}`);
        assert.equal(Reflect.get({}, "polluted"), undefined);
        await cluster.remove(thing.ref(name));
      });
    } finally {
      for (const name of [bad, ...others]) await cluster.remove(thing.ref(name)).catch(() => {});
      await until(
        "all is gone",
        async () => (await cluster.list(thing.ref("x"))).length === 0 || undefined,
        30_000,
      );
      await operator.stop();
      await impl.remove();
      cluster.close();
    }
  });
}
