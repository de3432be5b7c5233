/**
 * What a render costs, beside its peers, in one run and as ratios: a template of 100 lines and a set of 10 documents, cold (compiled each time) and warm,
 * and the set for 1,000 instances. Peers are npm:nunjucks as it comes and real Jinja2, timed inside Python; the templates say the same in each
 * language and print the same.
 *
 * The first table is of the languages alone: JSON text of the values in, texts out. The second is what a reconcile pays: values templates, reading
 * YAML, checks and digest, in this thread and in the cage. Last, 10,000 renders of one input: one digest, and memory that stays.
 */
import assert from "node:assert/strict";
import nunjucks from "nunjucks/browser/nunjucks.js";
import { CagedRenderer } from "./cage.ts";
import { InProcessRenderer } from "./in_process_renderer.ts";
import { jsonMembers } from "./json_text.ts";
import { JINJA_LANGUAGE } from "./jinja_language.ts";
import type { CompiledTemplates, LanguageOptions } from "./language.ts";
import { bundleOf, requestFor } from "./testdata/bundle.ts";

const INSTANCES = 1000;
const BATCHES = 12;

/** How the languages write what differs. */
const WORDS = {
  jinja2: { pairs: "common.items()", json: "tojson" },
  nunjucks: { pairs: "common", json: "dump" },
} as const;

function documentNamed(name: string, { pairs, json }: typeof WORDS[keyof typeof WORDS]): string {
  return `apiVersion: v1
kind: ConfigMap
metadata:
  name: [{ prefix }]-${name}
  namespace: [{ spec.project.solution | lower }]
  labels:
[%- for key, value in ${pairs} %]
    [{ key }]: [{ value | ${json} }]
[%- endfor %]
spec:
  enabled: [{ 'true' if spec.enabled else 'false' }]
  rules:[% for rule in spec.rules %]
  - name: [{ rule.name | lower | ${json} }]
[%- if rule.cidrs %]
    cidrs:
[%- for cidr in rule.cidrs %]
    - [{ cidr | ${json} }]
[%- endfor %]
[%- endif %]
    ports:
[%- for port in rule.ports %]
    - {port: [{ port.port }], protocol: [{ port.protocol | default('TCP') }]}
[%- endfor %]
[%- endfor %]
`;
}

type Sources = Readonly<Record<string, string>>;

/** One template of 100 lines, then the ten of the set. */
function sourcesFor(language: keyof typeof WORDS): Sources {
  const document = (name: string) => documentNamed(name, WORDS[language]);
  const long = Array.from({ length: 4 }, (_, n) => document(`d${n}`)).join("---\n");
  const set = Array.from({ length: 10 }, (_, n) => [`a/t${n}.yaml`, document(`d${n}`)]);
  return { "a/long.yaml": long, ...Object.fromEntries(set) };
}

const NAMES = Object.keys(sourcesFor("jinja2"));
const [ONE, SET] = [NAMES.slice(0, 1), NAMES.slice(1)];

function specOf(name: string) {
  const rules = Array.from({ length: 6 }, (_, n) => ({
    name: `Rule-${n}-${name}`,
    cidrs: [`10.${n}.0.0/16`, `10.${n}.1.0/24`],
    ports: [{ port: 80 + n }, { port: 443, protocol: "UDP" }],
  }));
  return { enabled: true, project: { solution: "Shop" }, rules };
}

const VALUES = Array.from({ length: INSTANCES }, (_, n) =>
  JSON.stringify({
    prefix: `toy-${n}`,
    common: { app: `toy-${n}`, revision: "3" },
    spec: specOf(`toy-${n}`),
  }));

/** Microseconds of one turn, in the fastest of some batches: what else the machine does counts least there. */
function fastest(action: () => void, turns: number): number {
  let best = Infinity;
  for (let batch = 0; batch < BATCHES; batch++) {
    const started = performance.now();
    for (let turn = 0; turn < turns; turn++) action();
    best = Math.min(best, (performance.now() - started) / turns);
  }
  return best * 1000;
}

/** A language that compiles these templates and then prints some of them. */
type Compile = (names: readonly string[]) => (json: string, names: readonly string[]) => readonly string[];

const LIMITS: LanguageOptions = {
  undefined: "lenient",
  trimBlocks: false,
  lstripBlocks: false,
  outputBytes: 4 * 1024 * 1024,
  renderMs: 2000,
  interrupted: () => false,
};

const compileOurs: Compile = (names) => {
  const sources = new Map(Object.entries(sourcesFor("jinja2")).filter(([name]) => names.includes(name)));
  const compiled: CompiledTemplates = JINJA_LANGUAGE.compile(sources, names, LIMITS);
  return (json, wanted) => {
    const session = compiled.open(jsonMembers(json));
    return wanted.map((name) => session.render(name).text);
  };
};

const compileNunjucks: Compile = (names) => {
  const sources = sourcesFor("nunjucks");
  const environment = new nunjucks.Environment([], {
    autoescape: false,
    tags: {
      ...{ blockStart: "[%", blockEnd: "%]", variableStart: "[{", variableEnd: "}]" },
      ...{ commentStart: "[#", commentEnd: "#]" },
    },
  });
  const templates = new Map(
    names.map((name) => [name, new nunjucks.Template(sources[name], environment, name, true)] as const),
  );
  return (json, wanted) => {
    const values: unknown = JSON.parse(json);
    return wanted.map((name): string => templates.get(name)?.render(values) ?? "");
  };
};

const MEASURES = ["one cold", "one warm", "set cold", "set warm", "many warm"] as const;
type Times = Readonly<Record<typeof MEASURES[number], number>>;

function timesOf(compile: Compile): Times {
  const [first = ""] = VALUES;
  const render = compile(NAMES);
  for (let turn = 0; turn < 300; turn++) render(first, SET); // warm
  return {
    "one cold": fastest(() => compile(ONE)(first, ONE), 5),
    "one warm": fastest(() => render(first, ONE), 20),
    "set cold": fastest(() => compile(SET)(first, SET), 3),
    "set warm": fastest(() => render(first, SET), 10),
    "many warm": fastest(() => VALUES.forEach((json) => render(json, SET)), 1),
  };
}

/** Python's times and texts; undefined where Python has no Jinja2. */
async function timesOfPython(): Promise<(Times & { readonly printed: readonly string[] }) | undefined> {
  const task = JSON.stringify({ templates: sourcesFor("jinja2"), values: VALUES, batches: BATCHES });
  const program = new URL("./testdata/bench.py", import.meta.url).pathname;
  try {
    const child = new Deno.Command("python3", {
      args: [program],
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    await new Blob([task]).stream().pipeTo(child.stdin);
    const { success, stdout } = await child.output();
    return success ? JSON.parse(new TextDecoder().decode(stdout)) : undefined;
  } catch {
    return undefined;
  }
}

const TITLES: Times extends Readonly<Record<infer K, number>> ? Readonly<Record<K & string, string>> : never =
  {
    "one cold": "100 lines, compiled and rendered",
    "one warm": "100 lines, rendered",
    "set cold": "10 documents, compiled and rendered",
    "set warm": "10 documents, rendered",
    "many warm": `10 documents for ${INSTANCES} instances`,
  };

function milliseconds(micros: number | undefined): string {
  return (micros === undefined ? "-" : `${(micros / 1000).toFixed(micros < 1e5 ? 3 : 0)} ms`).padStart(12);
}

function ratio(ours: number, theirs: number | undefined): string {
  return (theirs === undefined ? "-" : `${(ours / theirs).toFixed(2)} x`).padStart(14);
}

async function compareLanguages(): Promise<void> {
  const python = await timesOfPython();
  const [first = ""] = VALUES;
  const withoutEnd = (text: string) => text.replace(/\n$/, ""); // nunjucks keeps the last line end
  const printed = compileOurs(NAMES)(first, NAMES);
  const same = (text: string) => text.replaceAll(/, /g, ",").replaceAll(/: /g, ":");
  assert.deepEqual(compileNunjucks(NAMES)(first, NAMES).map(withoutEnd).map(same), printed.map(same));
  if (python !== undefined) assert.deepEqual(printed, python.printed);
  const [ours, theirs] = [timesOf(compileOurs), timesOf(compileNunjucks)];
  console.log("\nTemplates to text (ours / theirs: below 1 we are faster)");
  console.log(
    `${"".padEnd(40)}${
      ["ours", "nunjucks", "Python"].map((title) => title.padStart(12)).join("")
    }   ours/nunjucks   ours/Python`,
  );
  for (const measure of MEASURES) {
    const [a, b, c] = [ours[measure], theirs[measure], python?.[measure]];
    console.log(
      `${TITLES[measure].padEnd(40)}${milliseconds(a)}${milliseconds(b)}${milliseconds(c)}${ratio(a, b)}  ${
        ratio(a, c)
      }`,
    );
  }
  if (python === undefined) console.log("Python: python3 with jinja2 is not there");
}

/** Median of some turns, in microseconds. */
async function median(turns: number, action: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const started = performance.now();
    await action();
    times.push(performance.now() - started);
  }
  return (times.sort((a, b) => a - b)[turns >> 1] ?? NaN) * 1000;
}

async function measureReconciles(): Promise<void> {
  const values = "prefix: [{ name }]\ncommon: {app: [{ name }], revision: '[{ revision }]'}\n";
  const bundle = bundleOf({ "v/values.yaml": values, ...sourcesFor("jinja2") }, {
    values: ["v/values.yaml"],
    templates: SET,
  });
  const requestOf = (name: string) => requestFor(name, { spec: specOf(name) });
  const requests = Array.from({ length: INSTANCES }, (_, n) => requestOf(`toy-${n}`));
  const request = requestOf("toy");
  console.log("\nValues to manifests (10 documents: templates, YAML, checks, digest)");
  for (
    const [where, renderer] of [["here", new InProcessRenderer()], ["cage", new CagedRenderer()]] as const
  ) {
    await renderer.load(bundle);
    const cold = await median(21, () => renderer.load(bundle).then(() => renderer.render(request)));
    const warm = await median(201, () => renderer.render(request));
    const many = await median(3, () => Promise.all(requests.map((one) => renderer.render(one))));
    console.log(
      `${where}: cold ${milliseconds(cold).trim()}, warm ${milliseconds(warm).trim()}, ` +
        `${INSTANCES} instances ${milliseconds(many).trim()}`,
    );
    renderer.close();
  }
}

/** 10,000 renders of one input: what they come to, and what they leave in memory. */
async function repeatRenders(): Promise<void> {
  const bundle = bundleOf({ "v/values.yaml": "prefix: a\ncommon: {app: a}\n", ...sourcesFor("jinja2") }, {
    values: ["v/values.yaml"],
    templates: SET.slice(0, 2),
  });
  const request = requestFor("toy", { spec: specOf("toy") });
  console.log("\n10,000 renders of one input");
  for (
    const [where, renderer] of [["here", new InProcessRenderer()], ["cage", new CagedRenderer()]] as const
  ) {
    await renderer.load(bundle);
    const digests = new Set<string>();
    const memory: number[] = [];
    for (let turn = 1; turn <= 10_000; turn++) {
      digests.add((await renderer.render(request)).digest);
      if (turn % 1000 === 0) memory.push(Math.round(Deno.memoryUsage().rss / 1024 / 1024));
    }
    renderer.close();
    assert.equal(digests.size, 1);
    console.log(`${where}: 1 digest; resident memory after each 1,000: ${memory.join(", ")} MiB`);
  }
}

await compareLanguages();
await measureReconciles();
await repeatRenders();
