import assert from "node:assert/strict";
import { InProcessRenderer } from "./in_process_renderer.ts";
import { RenderError } from "./render_error.ts";
import type { Rendered, RenderRequest } from "./renderer.ts";
import { bundleOf, requestFor } from "./testdata/bundle.ts";

type Sources = Readonly<Record<string, string>>;
type More = Parameters<typeof bundleOf>[1];

async function render(sources: Sources, more: More = {}, request = requestFor("toy")): Promise<Rendered> {
  const renderer = new InProcessRenderer();
  await renderer.load(bundleOf(sources, more));
  return await renderer.render(request);
}

async function failure(action: Promise<unknown>): Promise<RenderError> {
  const reason = await action.then(() => undefined, (error: unknown) => error);
  assert.ok(reason instanceof RenderError, `Not a RenderError: ${reason}`);
  return reason;
}

/** A ConfigMap whose data are these lines. */
function configMap(...lines: string[]): string {
  return [
    "apiVersion: v1",
    "kind: ConfigMap",
    "metadata: {name: demo}",
    "data:",
    ...lines.map((l) => `  ${l}`),
  ].join(
    "\n",
  );
}

function dataOf(rendered: Rendered, index = 0): unknown {
  return rendered.manifests[index]?.object.data;
}

Deno.test("templates see the instance, the engine's values, and nothing that changes by itself", async () => {
  const instance = {
    metadata: {
      name: "toy",
      namespace: "shop",
      uid: "u-1",
      generation: 4,
      labels: { a: "b" },
      resourceVersion: "77",
      managedFields: [{ manager: "x" }],
    },
    spec: { size: 2 },
  };
  const expressions = {
    who: "[{ apiVersion }] [{ kind }] [{ namespace }]/[{ name }] [{ uid }] [{ generation }] [{ labels.a }]",
    spec: "[{ spec.size }] [{ spec.none }]",
    status: "[{ status }] [{ annotations }]",
    hidden: "[{ metadata.resourceVersion }][{ metadata.managedFields }][{ metadata.generation }]",
    engine:
      "[{ revision }] [{ revision_timestamp }] [{ crd.plural }] [{ operator.namespace }] [{ operator.version }]",
    more: "[{ watched.node.a }] [{ previous.ip }] [{ shutdown }]",
    helper: "[% set ns = namespace(n=1) %][{ ns.n }]",
  };
  const lines = Object.entries(expressions).map(([key, text]) => `${key}: "${text}"`);
  const request = requestFor("toy", instance, { watched: `{"node":{"a":1}}`, previous: `{"ip":"10.0.0.1"}` });
  assert.deepEqual(dataOf(await render({ "a/b.yaml": configMap(...lines) }, {}, request)), {
    who: "toys.example.org/v1 Toy shop/toy u-1 4 b",
    spec: "2 ",
    status: "{} {}",
    hidden: "4",
    engine: "3 2026-01-02T03:04:05Z toys toys-system 1.0.0",
    more: "1 10.0.0.1 False",
    helper: "1",
  });
});

Deno.test("integers stay exact and keys in order, from the instance to the manifest", async () => {
  const instance = `{"metadata":{"name":"toy"},"spec":{"10":1,"2":12345678901234567890}}`;
  const template = configMap(`text: "[{ spec }]"`, `number: [{ spec['2'] }]`);
  const rendered = await render({ "a/b.yaml": template }, {}, { ...requestFor("toy"), instance });
  assert.deepEqual(dataOf(rendered), {
    text: "{'10': 1, '2': 12345678901234567890}",
    number: 12345678901234567890n,
  });
});

Deno.test("values templates see one another in order, and their values are kept", async () => {
  const rendered = await render({
    "v/one.yaml": "base: '[{ name }]-x'\n'10': 1\n'2': 2\n",
    "v/none.yaml": "[% if false %]a: b[% endif %]",
    "v/two.yaml": "full: '[{ base }]-y'\nlabels: {own: label}\n",
    "a/b.yaml": configMap(`a: "[{ full }] [{ labels.own }]"`),
  }, { values: ["v/one.yaml", "v/none.yaml", "v/two.yaml"], templates: ["a/b.yaml"] });
  assert.deepEqual(dataOf(rendered), { a: "toy-x-y label" });
  assert.equal(
    rendered.values,
    `{"base":"toy-x","10":1,"2":2,"full":"toy-x-y","labels":{"own":"label"}}`,
  );
});

Deno.test("a values template that prints no single mapping is refused at its line", async () => {
  const of = (text: string) => render({ "v/a.yaml": text }, { values: ["v/a.yaml"], templates: [] });
  assert.match((await failure(of("\n- 1"))).message, /^v\/a\.yaml line 2: A mapping has to be printed/);
  assert.match((await failure(of("a: 1\n---\nb: 2"))).message, /^v\/a\.yaml line 3: Only one document/);
});

Deno.test("what one template does to a list is not seen by the next", async () => {
  const calls = [
    "spec.list.append(1)",
    "spec.list . append(1)",
    "spec.list['append'](1)",
    "(spec.list | attr('append'))(1)",
  ];
  for (const call of calls) {
    const template = (name: string) =>
      configMap(`size: [% set _ = ${call} %][{ spec.list | length }]`).replace("demo", name);
    const rendered = await render(
      { "a/a.yaml": template("a"), "a/b.yaml": template("b") },
      {},
      requestFor("toy", { spec: { list: [] } }),
    );
    assert.deepEqual([dataOf(rendered), dataOf(rendered, 1)], [{ size: 1 }, { size: 1 }], call);
  }
});

Deno.test("fail() is an error with its message, at its line, also from a macro of another template", async () => {
  const error = await failure(render({
    "a/b.yaml": `[% from "a/m.yaml" import need %]\n[{ need(spec.x) }]`,
    "a/m.yaml": `[% macro need(v) %]\n\n[{ fail("Write spec.x") }][% endmacro %]`,
  }, { templates: ["a/b.yaml"] }));
  assert.equal(error.kind, "runtime");
  assert.match(error.message, /^a\/m\.yaml line 3, column \d+: Write spec\.x/);
});

Deno.test("a bundle is refused with all that does not compile; what nobody names may be anything", async () => {
  const error = await failure(render({
    "a/one.yaml": "a\n[% if %]",
    "a/two.yaml": `[% include "a/three.yaml" %]`,
    "a/three.yaml": "[{ }]",
    "a/README.md": "[% no template %]",
  }, { templates: ["a/one.yaml", "a/two.yaml"] }));
  assert.deepEqual(
    error.problems.map(({ kind, template, line }) => [kind, template, line]),
    [["syntax", "a/one.yaml", 2], ["syntax", "a/three.yaml", 1]],
  );
  assert.match(error.message, /^a\/one\.yaml line 2, .*; a\/three\.yaml line 1, [^\n]*$/);
  assert.match(error.withExcerpts, /^ {2}\[% if %\]\n {2} +\^$/m);
});

Deno.test("a bundle that is refused leaves the one before in its place", async () => {
  const renderer = new InProcessRenderer();
  await renderer.load(bundleOf({ "a/b.yaml": configMap("a: good") }));
  await failure(renderer.load(bundleOf({ "a/b.yaml": "[%" })));
  assert.deepEqual(dataOf(await renderer.render(requestFor("toy"))), { a: "good" });
});

Deno.test("problems of all templates are told at once, at the lines of the templates", async () => {
  const error = await failure(render({
    "a/undefined.yaml": configMap("a: [{ spec.one.two }]"),
    "a/yaml.yaml": "[# a comment of\n two lines #]\na: 1\nb: [\n",
    "a/manifest.yaml": `[% for n in [1, 2] %]\nkind: A\n---\n[% endfor %]`,
    "a/fine.yaml": configMap("a: b"),
  }));
  assert.deepEqual(error.problems.map(({ kind, template }) => [kind, template]), [
    ["undefined", "a/undefined.yaml"],
    ["yaml", "a/yaml.yaml"],
    ...Array.from({ length: 4 }, () => ["manifest", "a/manifest.yaml"]),
  ]);
  assert.equal(error.problems[0]?.sourceLine, "  a: [{ spec.one.two }]");
  assert.equal(error.problems[2]?.line, 2);
});

Deno.test("a line of a value that spans lines is that of the expression that printed it", async () => {
  const template = `apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData:\n  a: [{ spec.text }]`;
  const error = await failure(
    render({ "a/b.yaml": template }, {}, requestFor("toy", { spec: { text: "x\n b: 'S3cr3t-marker" } })),
  );
  assert.equal(error.kind, "yaml");
  assert.equal(error.line, 5);
  assert.doesNotMatch(`${error.message} ${error.withExcerpts}`, /S3cr3t-marker/);
});

Deno.test("history name and namespaces are templates that see the values", async () => {
  const more = {
    values: ["v/a.yaml"],
    templates: [],
    history: { limit: 5, name: "[{ ns }]-history" },
    namespaces: ["[{ ns }]", "shared"],
  };
  const rendered = await render({ "v/a.yaml": "ns: shop" }, more);
  assert.equal(rendered.historyName, "shop-history");
  assert.deepEqual(rendered.namespaces, ["shop", "shared"]);
  assert.equal((await render({}, {})).historyName, undefined);
  const error = await failure(render({}, { history: { limit: 5, name: "[{ spec.none }]" } }));
  assert.match(error.message, /^implementation\.yaml: history\.name line 1: A name has to come out/);
});

Deno.test("equal outcome, equal digest", async () => {
  const digest = async (template: string, more: Partial<RenderRequest> = {}, namespaces: string[] = []) =>
    (await render({ "a/b.yaml": template }, { namespaces }, requestFor("toy", {}, more))).digest;
  const first = await digest(configMap("a: '1'", "b: '2'"));
  assert.match(first, /^[0-9a-f]{64}$/);
  assert.equal(
    await digest(`\n[# moved #]\n${configMap("b: '2'", "a: '1'")}`, { previous: `{"x":1}` }),
    first,
  );
  assert.notEqual(await digest(configMap("a: '1'", "b: '3'")), first);
  assert.notEqual(await digest(`${configMap("a: '1'", "b: '2'")}\n_keep: true`), first);
  assert.notEqual(await digest(configMap("a: '1'", "b: '2'"), {}, ["x"]), first);
});

Deno.test("strict undefined and block trimming are taken from the implementation", async () => {
  const template = configMap("a: '[{ missing }]'");
  assert.deepEqual(dataOf(await render({ "a/b.yaml": template })), { a: "" });
  assert.equal((await failure(render({ "a/b.yaml": template }, { undefined: "strict" }))).kind, "undefined");
  const trimmed = await render({
    "a/b.yaml": configMap("a: |", "  x", "  [% if true %]", "  y", "  [% endif %]"),
  }, { options: { trimBlocks: true, lstripBlocks: true } });
  assert.deepEqual(dataOf(trimmed), { a: "x\ny\n" });
});

Deno.test("all templates together may print as much as the limit says", async () => {
  const limits = { renderMs: 2000, outputBytes: 146 };
  const text = (name: string) => `apiVersion: v1\nkind: A\nmetadata: {name: ${name}}\nä: ä\n`;
  await render({ "a/a.yaml": text("a"), "a/b.yaml": text("b") }, { limits });
  const error = await failure(
    render({ "a/a.yaml": text("a"), "a/b.yaml": text("b"), "a/c.yaml": text("c") }, { limits }),
  );
  assert.deepEqual([error.kind, error.template], ["limit", "a/c.yaml"]);
  assert.match(error.message, /146 bytes/);
  const alone = await failure(render({ "a/a.yaml": "[{ 'x' * 151 }]" }, { limits }));
  assert.equal(alone.kind, "limit");
});

Deno.test("the status template sees the result; without one the status is empty", async () => {
  const renderer = new InProcessRenderer();
  const sources = { "v/a.yaml": "ns: shop", "s/a.yaml": "state: '[{ result.ready }] [{ ns }]'\n" };
  await renderer.load(bundleOf(sources, { values: ["v/a.yaml"], templates: [], status: "s/a.yaml" }));
  const request = { ...requestFor("toy"), result: { ready: true } };
  assert.deepEqual(await renderer.renderStatus(request), { state: "True shop" });
  await renderer.load(bundleOf({}));
  assert.deepEqual(await renderer.renderStatus(request), {});
});

Deno.test("braces of other template tools that YAML stumbles over are told as such", async () => {
  const refused = async (line: string) => await failure(render({ "a/b.yaml": configMap(line) }));
  assert.match(
    (await refused("size: {{ spec.size }}")).message,
    /^a\/b\.yaml line 5: A key is a list or a mapping; a key has to be a text; prints are `\[\{ name \}\]` here/,
  );
  assert.match(
    (await refused("{% if x %}")).message,
    /^a\/b\.yaml line 5: .*; statements are `\[% if name %\]` here/,
  );
  assert.equal((await refused(`a: "{{ x }}" b`)).hint, undefined);
  assert.equal((await refused("a: [1")).hint, undefined);
});
