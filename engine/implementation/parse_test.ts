import assert from "node:assert/strict";
import { assembleBundle } from "./bundle.ts";
import { ConfigError, formatProblem } from "./config_error.ts";
import { appendOrder, DEFAULTS, parseImplementation } from "./parse.ts";

const FULL = `
name: my-thing
crd: {group: my-thing.example.com, version: v1, kind: MyThing, plural: mythings}
language: jinja2
undefined: strict
values:
  - templates-core/values.yaml
watch:
  - {name: nodes, apiVersion: v1, kind: Node, labelSelector: "a=b"}
  - {name: service, apiVersion: v1, kind: Service, objectName: "[{ spec.service }]", namespace: "[{ name }]"}
templates:
  - templates-core/namespace.yaml
  - templates-core/resource-quota.yaml
status: templates-core/status.yaml
jobs:
  - templates-jobs/one.yaml
  - {template: templates-jobs/two.yaml, timeout: 1m30s}
resync: 1h30m
history: {limit: 7, name: "[{ name }]-history"}
namespaces: ["[{ operator.namespace }]"]
limits: {render: 500ms, output: 1Mi}
options: {trim_blocks: true}
`;
const MINIMAL =
  "crd: {group: g.example.com, version: v1, kind: Thing, plural: things}\ntemplates: [core/a.yaml]\n";

function problems(text: string, name = "implementation.yaml"): readonly string[] {
  return parseImplementation({ name, text }).problems.map(formatProblem);
}

Deno.test("a full file becomes an implementation", () => {
  const parsed = parseImplementation({ name: "implementation.yaml", text: FULL });
  assert.deepEqual(parsed.problems, []);
  assert.deepEqual(parsed.implementation, {
    name: "my-thing",
    crd: { group: "my-thing.example.com", version: "v1", kind: "MyThing", plural: "mythings" },
    language: "jinja2",
    undefined: "strict",
    values: ["templates-core/values.yaml"],
    watch: [
      { name: "nodes", apiVersion: "v1", kind: "Node", labelSelector: "a=b" },
      {
        name: "service",
        apiVersion: "v1",
        kind: "Service",
        objectName: "[{ spec.service }]",
        namespace: "[{ name }]",
      },
    ],
    templates: ["templates-core/namespace.yaml", "templates-core/resource-quota.yaml"],
    status: "templates-core/status.yaml",
    jobs: [
      { template: "templates-jobs/one.yaml", timeoutMs: 60_000 },
      { template: "templates-jobs/two.yaml", timeoutMs: 90_000 },
    ],
    resyncMs: 5_400_000,
    history: { limit: 7, name: "[{ name }]-history" },
    namespaces: ["[{ operator.namespace }]"],
    limits: { renderMs: 500, outputBytes: 1_048_576 },
    options: { trimBlocks: true, lstripBlocks: false },
  });
});

Deno.test("a minimal file has the defaults", () => {
  const { implementation, problems } = parseImplementation({ name: "implementation.yaml", text: MINIMAL });
  assert.deepEqual(problems, []);
  assert.equal(implementation.name, "things.g.example.com");
  assert.equal(implementation.resyncMs, 36_000_000);
  assert.deepEqual(implementation.history, { limit: DEFAULTS.historyLimit });
  assert.deepEqual(implementation.limits, { renderMs: 2000, outputBytes: 4_194_304 });
  assert.deepEqual([implementation.language, implementation.undefined], ["jinja2", "lenient"]);
  assert.equal("status" in implementation, false);
});

Deno.test("flags stand above the file, and make up for the older form that names no CRD", () => {
  const flagged = parseImplementation({ name: "implementation.yaml", text: MINIMAL }, {
    crd: { group: "other.example.com" },
  });
  assert.equal(flagged.implementation.crd.group, "other.example.com");
  const crd = { group: "g.example.com", version: "v1", kind: "Thing", plural: "things" };
  const older = {
    name: "order/templates-order.yaml",
    text: "templates:\n- core/a.yaml\njobs: [core/job.yaml]\n",
  };
  const parsed = parseImplementation(older, { crd });
  assert.deepEqual([parsed.problems, parsed.implementation.crd], [[], crd]);
  assert.deepEqual(parsed.implementation.jobs, [{ template: "core/job.yaml", timeoutMs: 60_000 }]);
  assert.equal(parseImplementation(older, { crd: { ...crd, kind: "thing" } }).problems.length, 1);
  assert.match(
    problems(older.text, older.name)[0] ?? "",
    /templates-order.yaml line 1: Names no CRD; give the flags --crd-group, --crd-version, --crd-kind, --crd-plural$/,
  );
  assert.match(
    problems("templates: [a/b]\nresync: 1h\n", older.name)[0] ?? "",
    /line 2, resync: Unknown key; known here: templates, jobs/,
  );
});

Deno.test("every problem of a file is found at once, with line and key", () => {
  const text = [
    "crd: {group: Example, version: v1, kind: Thing}",
    "templatess: []",
    "templates:",
    "  - core/a.yaml",
    "  - namespace.yaml",
    "  - core/a.yaml",
    "  - 5",
    "resync: -10h",
    "history:",
    "  limit: 0",
    "  kept: 1",
    "language: mustache",
    "watch:",
    "  - {name: my-nodes, apiVersion: v1}",
    "options: {trim_blocks: 'yes'}",
    "limits: {render: 2, output: much}",
    "values: core/values.yaml",
  ].join("\n");
  assert.deepEqual(problems(text), [
    "implementation.yaml line 2, templatess: Unknown key; did you mean `templates`? Known here: name, crd, language, undefined, values, watch, templates, jobs, status, resync, history, namespaces, limits, options",
    "implementation.yaml line 1, crd.group: `Example`: write the API group in lower case, such as `my-thing.example.com`",
    "implementation.yaml line 1, crd.plural: Is missing; write the plural in lower case, such as `mythings`, or give the flag --crd-plural",
    "implementation.yaml line 17, values: Has to be a list, one item a line, each after `- `",
    "implementation.yaml line 5, templates[1]: `namespace.yaml`: write a template name of two parts, `configmap/key` (on disk `folder/file`)",
    "implementation.yaml line 6, templates[2]: `core/a.yaml` is in the list twice; take one away",
    "implementation.yaml line 7, templates[3]: Write a template name of two parts, `configmap/key` (on disk `folder/file`)",
    "implementation.yaml line 12, language: Write jinja2 or nunjucks",
    "implementation.yaml line 14, watch[0].name: `my-nodes`: write a name that a template can use after `watched.`: letters, digits and `_`",
    "implementation.yaml line 14, watch[0].kind: Is missing; every entry of `watch` needs name, apiVersion and kind",
    "implementation.yaml line 8, resync: Write a duration above zero such as `10h`, `1h30m` or `500ms`",
    "implementation.yaml line 11, history.kept: Unknown key; known here: limit, name",
    "implementation.yaml line 10, history.limit: Write an integer of at least 1",
    "implementation.yaml line 16, limits.render: Write a duration above zero such as `10h`, `1h30m` or `500ms`",
    "implementation.yaml line 16, limits.output: Write a number of bytes such as `4Mi`, `512Ki` or `1000000`",
    "implementation.yaml line 15, options.trim_blocks: Write true or false",
  ]);
});

Deno.test("a file that is no YAML, is empty, or is a list, is refused in one line", () => {
  assert.deepEqual(problems("a: 1\na: 2\n"), [
    "implementation.yaml line 2: The key `a` is there twice in one mapping; take one away (column 1)",
  ]);
  assert.deepEqual(problems("# nothing\n"), [
    "implementation.yaml: Is empty; write at least `templates:` with a list of template names",
  ]);
  assert.match(problems("- core/a.yaml\n")[0] ?? "", /line 1: Has to be a mapping with the keys name, crd/);
  assert.match(problems(`${MINIMAL}---\nmore: 1\n`)[0] ?? "", /line 4: Has a second document/);
});

Deno.test("a template that does not exist is named with its place and what there is instead", () => {
  const parsed = parseImplementation({
    name: "implementation.yaml",
    text: `${MINIMAL}values: [lib/v.yaml]\nresync: soon\n`,
  });
  const sources = new Map([["core/b.yaml", ""], ["core/c.yaml", ""]]);
  assert.throws(() => assembleBundle(parsed, sources), (error) => {
    assert.ok(error instanceof ConfigError);
    assert.deepEqual(error.problems.map(formatProblem), [
      "implementation.yaml line 4, resync: Write a duration above zero such as `10h`, `1h30m` or `500ms`",
      "implementation.yaml line 3, values[0]: Template `lib/v.yaml` does not exist; there is no folder `lib`, or it is empty",
      "implementation.yaml line 2, templates[0]: Template `core/a.yaml` does not exist; `core` has b.yaml, c.yaml",
    ]);
    assert.ok(!error.message.includes("\n"));
    return true;
  });
});

Deno.test("a CRD that is not named at all is one problem, and flags make up for it", () => {
  const text = "templates: [core/a.yaml]\n";
  assert.deepEqual(problems(text), [
    "implementation.yaml line 1, crd: Is missing; write `crd: {group: my-thing.example.com, version: v1, kind: MyThing, plural: mythings}` " +
    "with the names of your CRD, or give the flags --crd-group, --crd-version, --crd-kind, --crd-plural",
  ]);
  const flagged = parseImplementation({ name: "implementation.yaml", text }, {
    crd: { group: "g.example.com", version: "v1", kind: "Thing" },
  });
  assert.match(flagged.problems.map(formatProblem).join(), /line 1, crd: .*the flags --crd-plural$/);
});

Deno.test("a misspelt key is told with the one that was meant, where one is near", () => {
  const advice = (key: string) => problems(`${MINIMAL}${key}: 1\n`)[0] ?? "";
  for (
    const [key, meant] of [["histroy", "history"], ["Status", "status"], ["nmae", "name"], ["job", "jobs"]]
  ) {
    assert.match(advice(key ?? ""), new RegExp(`Unknown key; did you mean \`${meant}\`\\? Known here`));
  }
  assert.match(advice("foo"), /Unknown key; known here/);
});

Deno.test("the digest is that of the content: order of sources does not count, every byte does", () => {
  const parsed = parseImplementation({ name: "implementation.yaml", text: MINIMAL });
  const digest = (sources: readonly (readonly [string, string])[]) =>
    assembleBundle(parsed, new Map(sources)).digest;
  const first = digest([["core/a.yaml", "x"], ["core/b.yaml", "y"]]);
  assert.equal(digest([["core/b.yaml", "y"], ["core/a.yaml", "x"]]), first);
  assert.notEqual(digest([["core/b.yaml", "y "], ["core/a.yaml", "x"]]), first);
  const strict = parseImplementation({ name: "implementation.yaml", text: `${MINIMAL}undefined: strict\n` });
  assert.notEqual(
    assembleBundle(strict, new Map([["core/a.yaml", "x"], ["core/b.yaml", "y"]])).digest,
    first,
  );
});

Deno.test("a second order is appended, and may not repeat the first", () => {
  const first = parseImplementation({ name: "implementation.yaml", text: MINIMAL });
  const more = appendOrder(first, {
    name: "extra/templates-order.yaml",
    text: "templates: [mine/x.yaml]\njobs: [mine/job.yaml]\n",
  });
  assert.deepEqual(more.problems, []);
  assert.deepEqual(more.implementation.templates, ["core/a.yaml", "mine/x.yaml"]);
  assert.deepEqual(more.implementation.jobs.map((job) => job.template), ["mine/job.yaml"]);
  const again = appendOrder(first, {
    name: "extra/templates-order.yaml",
    text: "templates: [core/a.yaml]\n",
  });
  assert.deepEqual(again.problems.map(formatProblem), [
    "extra/templates-order.yaml line 1, templates[0]: `core/a.yaml` is rendered already; take it away here",
  ]);
});
