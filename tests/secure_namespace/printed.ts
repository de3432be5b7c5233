/**
 * What the templates of secure-namespace print for generated CRs: by our Jinja2, by Python's (render.py), and as it was stored, which is Python's word
 * for machines that have no Jinja2 in Python.
 *
 * After a template or the generator changed, Python says anew what is right:
 *
 *     deno run --allow-all --unstable-worker-options tests/secure_namespace/printed.ts --update
 */
import { createHash } from "node:crypto";
import { FolderSource } from "../../engine/implementation/folder_source.ts";
import type { Bundle } from "../../engine/implementation/mod.ts";
import { jsonMembers } from "../../engine/render/json_text.ts";
import { languageNamed } from "../../engine/render/languages.ts";
import { instanceValues, resultValue } from "../../engine/render/template_values.ts";
import { readDocuments } from "../../engine/yaml/mod.ts";
import { type GeneratedCr, generatedCrs } from "./generated.ts";

/** Template → text. */
export type Printed = ReadonlyMap<string, string>;

/** Digests as they are stored: of each CR, one for each template. */
export interface StoredDigests {
  /** Version of Python's Jinja2. */
  readonly jinja2: string;
  readonly templates: readonly string[];
  readonly digests: Readonly<Record<string, readonly string[]>>;
}

/** How many CRs are printed. */
export const CRS = 200;

const OPERATOR = new URL("../../templates/secure-namespace/operator/", import.meta.url).pathname;
const RENDER_PY = new URL("./render.py", import.meta.url).pathname;
const STORED = new URL("../testdata/secure_namespace_printed.json", import.meta.url);

/** RESULT of render.py. */
const RESULT = {
  ready: false,
  message: `Waiting for "one" & others`,
  objects: [{ kind: "Namespace", name: "a", applied: true }, {
    kind: "ConfigMap",
    name: "b",
    applied: false,
  }],
  failed: [{ kind: "Role", name: "c", message: "it's <not> allowed" }],
};

/** The templates with our Jinja2; undefined names are errors, as they are in render.py. */
export async function printedHere(crs: readonly GeneratedCr[]): Promise<readonly Printed[]> {
  const bundle = await new FolderSource(OPERATOR).read();
  const language = await languageNamed("jinja2");
  const compiled = language.compile(bundle.sources, [...bundle.sources.keys()], {
    undefined: "strict",
    ...bundle.implementation.options,
    ...bundle.implementation.limits,
    interrupted: () => false,
  });
  return crs.map((cr) => printOne(cr, bundle, compiled));
}

function printOne(
  cr: GeneratedCr,
  { implementation }: Bundle,
  compiled: ReturnType<Awaited<ReturnType<typeof languageNamed>>["compile"]>,
): Printed {
  const { values, templates, status = "" } = implementation;
  const session = compiled.open(instanceValues({
    instance: JSON.stringify(cr),
    engine: {
      revision: 1,
      revisionTimestamp: "2026-01-02T03:04:05Z",
      crd: implementation.crd,
      operator: { namespace: "secure-namespace-system", version: "1.0.0" },
      shutdown: false,
    },
    watched: "{}",
    previous: "{}",
  }));
  const printed = new Map<string, string>();
  const print = (template: string) => {
    const { text } = session.render(template);
    printed.set(template, text);
    return text;
  };
  for (const template of values) {
    const [document] = readDocuments(print(template));
    if (document !== undefined) session.set(jsonMembers(document.jsonText()));
  }
  for (const template of templates) print(template);
  session.set(resultValue(RESULT));
  print(status);
  return printed;
}

/** Version of Jinja2 in this Python; undefined where Python, Jinja2 or PyYAML is not there. */
export async function jinjaOf(python = "python3"): Promise<string | undefined> {
  const code = "import jinja2, yaml; print(jinja2.__version__)";
  try {
    const { success, stdout } = await new Deno.Command(python, { args: ["-c", code] }).output();
    return success ? new TextDecoder().decode(stdout).trim() : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** The templates with Python's Jinja2. Throws with Python's words. */
export async function printedByPython(
  crs: readonly GeneratedCr[],
  python = "python3",
): Promise<readonly Printed[]> {
  const child = new Deno.Command(python, {
    args: [RENDER_PY],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const sending = new Blob(crs.map((cr) => `${JSON.stringify(cr)}\n`)).stream().pipeTo(child.stdin);
  const { success, stdout, stderr } = await child.output();
  await sending.catch(() => {});
  if (!success) throw new Error(`render.py failed: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout).trim().split("\n").map((line) => {
    const { documents, name, error } = JSON.parse(line);
    if (error !== undefined) throw new Error(`Python's Jinja2 refuses ${name}: ${error}`);
    return new Map<string, string>(Object.entries(documents));
  });
}

/** What is stored. */
export async function storedDigests(): Promise<StoredDigests> {
  return JSON.parse(await Deno.readTextFile(STORED));
}

/** Enough of SHA-256 to tell texts apart. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Asks Python (with Jinja2 installed into a folder of its own where it has none) and stores what it prints, one CR a line. */
async function update(): Promise<void> {
  const python = await jinjaOf() === undefined ? await installJinja() : "python3";
  const crs = generatedCrs(CRS);
  const printed = await printedByPython(crs, python);
  const lines = crs.map(({ metadata }, index) =>
    `${JSON.stringify(metadata.name)}:${JSON.stringify([...printed[index]?.values() ?? []].map(digestOf))}`
  );
  const head = `"jinja2":"${await jinjaOf(python)}","templates":${
    JSON.stringify([...printed[0]?.keys() ?? []])
  }`;
  await Deno.writeTextFile(STORED, `{${head},"digests":{\n${lines.join(",\n")}\n}}\n`);
  console.log(`Stored what Python's Jinja2 prints for ${crs.length} CRs`);
}

async function installJinja(): Promise<string> {
  const folder = await Deno.makeTempDir();
  for (
    const [program, ...args] of [["python3", "-m", "venv", folder], [
      `${folder}/bin/pip`,
      "install",
      "--quiet",
      "jinja2==3.1.6",
      "pyyaml",
    ]]
  ) {
    const { success } = await new Deno.Command(program ?? "", { args, stdout: "inherit", stderr: "inherit" })
      .output();
    if (!success) throw new Error(`${program} ${args.join(" ")} failed; see above`);
  }
  return `${folder}/bin/python`;
}

if (import.meta.main) {
  if (Deno.args[0] !== "--update") {
    console.error("Say --update to store what Python's Jinja2 prints");
    Deno.exit(2);
  }
  await update();
}
