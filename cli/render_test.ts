import assert from "node:assert/strict";
import { ConfigError, RenderError } from "../engine/mod.ts";
import { renderTemplate } from "./render.ts";
import { wordsFor } from "./user_error.ts";

async function inFolder(
  files: Readonly<Record<string, string>>,
  action: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/core`);
    for (const [name, text] of Object.entries(files)) await Deno.writeTextFile(`${folder}/${name}`, text);
    await action(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const TEMPLATE = [
  `[% include "core/head.yaml" %]`,
  "data: {size: [{ spec.size }]}",
  "_action: delete",
  "---",
  "apiVersion: v1",
  "kind: A",
  "metadata: {name: b}",
].join("\n");
const HEAD = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '[{ name }]'}\n";

Deno.test("a template is rendered with the names of a file, and finds what stands beside it", async () => {
  const values = "name: demo\nspec: {size: 12345678901234567890}\n";
  await inFolder(
    { "core/a.yaml": TEMPLATE, "core/head.yaml": HEAD, "values.yaml": values },
    async (folder) => {
      const options = { template: `${folder}/core/a.yaml`, values: `${folder}/values.yaml` };
      assert.equal(
        await renderTemplate({ ...options, output: "yaml" }),
        [
          "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: demo\ndata:\n  size: 12345678901234567890\n_action: delete\n",
          "apiVersion: v1\nkind: A\nmetadata:\n  name: b\n",
        ].join("---\n"),
      );
      assert.equal(
        await renderTemplate({ ...options, output: "json" }),
        `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"demo"},"data":{"size":12345678901234567890},"_action":"delete"}\n` +
          `{"apiVersion":"v1","kind":"A","metadata":{"name":"b"}}\n`,
      );
    },
  );
});

Deno.test("what cannot be read, or is no mapping, is said with its file", async () => {
  await inFolder({ "core/a.yaml": TEMPLATE, "list.yaml": "- 1\n", "bad.yaml": "a: [\n" }, async (folder) => {
    const render = (template: string, values: string) =>
      renderTemplate({ template: `${folder}/${template}`, values: `${folder}/${values}`, output: "yaml" });
    const refusal = (words: RegExp) => (error: unknown) => {
      assert.ok(error instanceof ConfigError);
      assert.match(error.message, words);
      return true;
    };
    await assert.rejects(
      render("core/none.yaml", "list.yaml"),
      refusal(/list\.yaml line 1: Has to be one mapping/),
    );
    await assert.rejects(render("core/a.yaml", "none.yaml"), refusal(/none\.yaml: Is not there/));
    await assert.rejects(render("core/a.yaml", "bad.yaml"), refusal(/bad\.yaml line \d+: /));
  });
});

Deno.test("a template that fails is told with its line", async () => {
  await inFolder({ "core/a.yaml": "\n[{ spec.a.b }]", "values.yaml": "" }, async (folder) => {
    const rendering = renderTemplate({
      template: `${folder}/core/a.yaml`,
      values: `${folder}/values.yaml`,
      output: "yaml",
    });
    await assert.rejects(rendering, (error) => error instanceof RenderError && error.line === 2);
  });
});

Deno.test("each kind of failure is said with the template's line", async () => {
  const failures = {
    "syntax.yaml": ["a: 1\n  [% if %]", "core/syntax.yaml line 2, column ", "\n    [% if %]\n", "^"],
    "undefined.yaml": [
      "a: [{ spec.a.b }]",
      "core/undefined.yaml line 1, column ",
      "\n  a: [{ spec.a.b }]\n",
      "^",
    ],
    "yaml.yaml": ["a: [1\nb: 2\n", "core/yaml.yaml line 2: ", "\n  b: 2"],
    "manifest.yaml": ["kind: ConfigMap\n", "core/manifest.yaml line 1: Document 1", "\n  kind: ConfigMap"],
    "missing.yaml": [`\n[% include "core/none" %]`, "core/missing.yaml line 2, column ", "core/none"],
  };
  const files = Object.entries(failures).map(([name, [text = ""]]) => [`core/${name}`, text] as const);
  await inFolder({ ...Object.fromEntries(files), "values.yaml": "spec: {}" }, async (folder) => {
    for (const [name, [, ...said]] of Object.entries(failures)) {
      const error = await renderTemplate({
        template: `${folder}/core/${name}`,
        values: `${folder}/values.yaml`,
        output: "yaml",
      }).then(() => undefined, (reason: unknown) => reason);
      assert.ok(error instanceof RenderError, `${name}: ${error}`);
      for (const words of said) assert.ok(wordsFor(error).includes(words), `${words} in ${wordsFor(error)}`);
    }
  });
});
