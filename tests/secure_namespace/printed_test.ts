/**
 * Every template of secure-namespace prints the same bytes here and in Python's Jinja2, for 200 generated CRs.
 */
import assert from "node:assert/strict";
import { stringifyJson } from "../../engine/meta/json.ts";
import { generatedCrs } from "./generated.ts";
import { CRS, digestOf, jinjaOf, printedByPython, printedHere, storedDigests } from "./printed.ts";

const version = await jinjaOf();
Deno.test("every template prints what Python's Jinja2 printed when it was stored", async () => {
  const { templates, digests } = await storedDigests();
  const crs = generatedCrs(CRS);
  const printed = await printedHere(crs);
  assert.deepEqual(Object.keys(digests), crs.map(({ metadata }) => metadata.name));
  for (const [index, { metadata: { name } }] of crs.entries()) {
    const here = printed[index] ?? new Map<string, string>();
    assert.deepEqual([...here.keys()], templates);
    for (const [at, [template, text]] of [...here].entries()) {
      const advice = "when a template was changed on purpose: see tests/secure_namespace/printed.ts";
      assert.equal(digestOf(text), digests[name]?.[at], `${template} for ${name} (${advice}):\n${text}`);
    }
  }
});

Deno.test({
  name: `every template prints what Python's Jinja2 prints now${
    version === undefined ? " (skipped: no python3 with jinja2 and pyyaml here; the stored word counts)" : ""
  }`,
  ignore: version === undefined,
  fn: async () => {
    const crs = generatedCrs(CRS);
    const [here, python] = [await printedHere(crs), await printedByPython(crs)];
    for (const [index, { metadata }] of crs.entries()) {
      for (const [template, text] of python[index] ?? []) {
        assert.equal(here[index]?.get(template), text, `${template} for ${metadata.name}`);
      }
      assert.equal(here[index]?.size, python[index]?.size);
    }
    assert.equal(python.length, CRS);
    const { digests } = await storedDigests();
    const digestsNow = crs.map(({ metadata }, index) => [
      metadata.name,
      [...python[index]?.values() ?? []].map(digestOf),
    ]);
    assert.equal(stringifyJson(Object.fromEntries(digestsNow)), stringifyJson(digests), "Store it anew");
  },
});
