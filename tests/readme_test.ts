/**
 * The YAML of README and docs is used as it stands there: each block under a line that is a file's name (`core/quota.yaml`) becomes
 * that file, and the files of a page are one implementation that is loaded and rendered. What a reader copies works, or this fails.
 */
import assert from "node:assert/strict";
import { FolderSource, IMPLEMENTATION_FILE } from "../engine/implementation/mod.ts";
import { stringifyJson } from "../engine/meta/mod.ts";
import { InProcessRenderer, type RenderRequest } from "../engine/render/mod.ts";
import { readDocuments } from "../engine/yaml/mod.ts";

const ROOT = new URL("../", import.meta.url);

/** A block with the file that it is to be; without one it is YAML of no special meaning. */
interface Block {
  readonly file: string | undefined;
  readonly text: string;
}

async function pages(): Promise<readonly string[]> {
  const docs: string[] = [];
  for await (const { name } of Deno.readDir(new URL("docs/", ROOT))) {
    if (name.endsWith(".md")) docs.push(`docs/${name}`);
  }
  return ["README.md", ...docs.sort()];
}

function blocksOf(page: string): readonly Block[] {
  const blocks = page.matchAll(/^([^\n]*)\n\n?```ya?ml\n(.*?)^```$/gms);
  return [...blocks].map(([, before = "", text = ""]) => ({
    file: /^`([^`\s]+\.yaml)`$/.exec(before)?.[1],
    text,
  }));
}

/** An instance of what the pages' implementations serve. */
function requestOf(crd: RenderRequest["engine"]["crd"]): RenderRequest {
  const instance = {
    apiVersion: `${crd.group}/${crd.version}`,
    kind: crd.kind,
    metadata: { name: "one", uid: "0", generation: 1 },
    spec: { quota: { pods: "3" }, team: "red" },
  };
  return {
    instance: stringifyJson(instance),
    engine: {
      revision: 1,
      revisionTimestamp: "2026-01-02T03:04:05Z",
      crd,
      operator: { namespace: "my-system", version: "1.0.0" },
      shutdown: false,
    },
    watched: "{}",
    previous: "{}",
  };
}

const RESULT = { ready: true, message: "", objects: [], failed: [] };

for (const page of await pages()) {
  const blocks = blocksOf(await Deno.readTextFile(new URL(page, ROOT)));
  const files = new Map(
    blocks.flatMap(({ file, text }) => file === undefined ? [] : [[file, text] as const]),
  );

  Deno.test(`${page}: every YAML block is a file of an implementation, or can be read`, () => {
    for (const { file, text } of blocks) {
      if (file === undefined) assert.ok(readDocuments(text).length > 0, text);
    }
    assert.equal(files.size, blocks.filter(({ file }) => file !== undefined).length, "A file is there twice");
  });

  if (files.size > 0) {
    Deno.test(`${page}: the implementation is loaded and rendered as it is written there`, async () => {
      const folder = await Deno.makeTempDir({ prefix: "readme-" });
      try {
        for (const [file, text] of files) {
          await Deno.mkdir(`${folder}/${file}`.replace(/\/[^/]*$/, ""), { recursive: true });
          await Deno.writeTextFile(`${folder}/${file}`, text);
        }
        const bundle = await new FolderSource(folder).read();
        const renderer = new InProcessRenderer();
        await renderer.load(bundle);
        const request = requestOf(bundle.implementation.crd);
        const { manifests } = await renderer.render(request);
        const printing = new Set(manifests.map(({ origin }) => origin.template));
        assert.deepEqual([...printing], bundle.implementation.templates, "Each template prints an object");
        const status = await renderer.renderStatus({ ...request, result: RESULT });
        assert.equal(Object.keys(status).length > 0, bundle.implementation.status !== undefined);
        const listed = [...bundle.sources.keys(), IMPLEMENTATION_FILE, "crd.yaml"];
        assert.deepEqual([...files.keys()].filter((file) => !listed.includes(file)), []);
        checkCrd(files.get("crd.yaml"), bundle.implementation.crd);
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    });
  }
}

/** The CRD that a page shows is the one that its implementation names. */
function checkCrd(
  text: string | undefined,
  { group, version, kind, plural }: RenderRequest["engine"]["crd"],
): void {
  if (text === undefined) return;
  const [document] = readDocuments(text);
  const crd = JSON.parse(document?.jsonText() ?? "null");
  assert.equal(crd.metadata.name, `${plural}.${group}`);
  assert.deepEqual([crd.spec.group, crd.spec.names.kind, crd.spec.names.plural], [group, kind, plural]);
  assert.equal(crd.spec.versions[0].name, version);
  assert.deepEqual(crd.spec.versions[0].subresources, { status: {} });
}
