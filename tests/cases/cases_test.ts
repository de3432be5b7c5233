/**
 * Cases from public bug reports (tests/testdata/cases): a template and its values go in; documents come out that equal the expected ones as data,
 * or an error of the expected stage that mentions what it must. Each case runs in the core and in the cage.
 */
import assert from "node:assert/strict";
import type { Bundle } from "../../engine/implementation/mod.ts";
import {
  CagedRenderer,
  InProcessRenderer,
  RenderError,
  type RenderErrorKind,
  type TemplateRenderer,
} from "../../engine/render/mod.ts";
import { bundleOf } from "../../engine/render/testdata/bundle.ts";
import { readDocuments } from "../../engine/yaml/mod.ts";

const CASES = new URL("../testdata/cases/", import.meta.url);
const NAME = "templates-cases/template.yaml";

const STAGES: Readonly<Record<string, readonly RenderErrorKind[]>> = {
  render: ["syntax", "undefined", "type", "runtime", "limit"],
  parse: ["yaml"],
  validate: ["manifest"],
};

interface Case {
  readonly id: string;
  readonly bundles: readonly Bundle[];
  /** JSON text of a mapping. */
  readonly values: string;
  /** Documents, or the lines of `expected-error.txt`. */
  readonly expected: readonly unknown[] | { readonly error: readonly string[] };
}

async function readCase(id: string): Promise<Case> {
  const read = (file: string) => Deno.readTextFile(new URL(`${id}/${file}`, CASES));
  const template = await read("template.yaml.njk");
  const blocks = [false, true].map((on) =>
    bundleOf({ [NAME]: template }, { options: { trimBlocks: on, lstripBlocks: on } })
  );
  const [values] = readDocuments(await read("values.yaml"));
  const error = await read("expected-error.txt").catch(() => undefined);
  return {
    id,
    bundles: blocks,
    values: values?.jsonText() ?? "{}",
    expected: error === undefined
      ? readDocuments(await read("expected.yaml")).map((document) => document.value)
      : { error: error.trim().split("\n") },
  };
}

async function check({ bundles, values, expected }: Case, renderer: TemplateRenderer): Promise<void> {
  for (const bundle of bundles) {
    const rendering = renderer.load(bundle).then(() => renderer.renderDocuments(NAME, values));
    if (!("error" in expected)) {
      const documents = (await rendering).map((text) => readDocuments(text)[0]?.value);
      assert.deepEqual(documents, expected);
      continue;
    }
    const started = performance.now();
    const error = await rendering.then((documents) => documents.join("\n"), (reason: unknown) => reason);
    assert.ok(performance.now() - started < 10_000);
    assert.ok(error instanceof RenderError, `Not refused: ${error}`);
    for (const line of expected.error) checkError(error, line);
  }
}

function checkError(error: RenderError, demand: string): void {
  const [key, words = ""] = demand.split(/:\s*(.*)/);
  switch (key) {
    case "stage":
      return assert.ok(
        STAGES[words]?.includes(error.kind),
        `${error.kind} is no error of the stage ${words}`,
      );
    case "must-mention":
      return assert.ok(error.message.includes(words), `${words} is not in: ${error.message}`);
    case "must-mention-one-of": {
      const found = words.split("|").some((word) => error.message.includes(word.trim()));
      return assert.ok(found, `None of ${words} is in: ${error.message}`);
    }
    case "must":
    case "must-not":
      // An error gives no documents, so nothing can be applied; the cage's own test has the rest.
      return assert.doesNotMatch(error.message, /\b42\b/);
    default:
      assert.fail(`A demand that this test does not know: ${demand}`);
  }
}

const ids = Array.from(Deno.readDirSync(CASES), (entry) => entry.name).sort();

Deno.test("all cases with files are here", () => assert.equal(ids.length, 40));

for (const id of ids) {
  Deno.test(`case ${id}, in process`, async () => {
    const renderer = new InProcessRenderer();
    await check(await readCase(id), renderer);
  });
}

Deno.test("cases in the cage", async (t) => {
  const renderer = new CagedRenderer();
  for (const id of ids) await t.step(id, async () => await check(await readCase(id), renderer));
  renderer.close();
});
