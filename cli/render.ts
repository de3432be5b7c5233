/**
 * `render`: one template alone, offline. A template file and a file with every name that it sees go in, documents come out, through the same
 * cage and the same checks as in a cluster.
 */
import {
  type Bundle,
  CagedRenderer,
  ConfigError,
  DEFAULTS,
  readDocuments,
  writeYaml,
  YamlError,
  type YamlValue,
} from "../engine/mod.ts";

/** What to render. */
export interface RenderTemplateOptions {
  /** Path of the template. The other files of its folder can be included as `folder/file`. */
  readonly template: string;
  /** Path of a YAML or JSON file with one mapping: the names that the template sees. */
  readonly values: string;
  /** `json` gives one document on each line. */
  readonly output: "yaml" | "json";
  /** Default: the cage. */
  readonly renderer?: Pick<CagedRenderer, "load" | "renderDocuments" | "close">;
}

/**
 * Renders and gives the text for stdout. Documents come as they were read, with the keys that begin with `_`. Throws `ConfigError` for a file
 * that cannot be read and `RenderError` for a template that fails.
 *
 * @example
 * console.log(await renderTemplate({ template: "core/quota.yaml", values: "values.yaml", output: "yaml" }));
 */
export async function renderTemplate(options: RenderTemplateOptions): Promise<string> {
  const values = readValues(options.values, await readText(options.values));
  const path = await Deno.realPath(options.template).catch((cause) => unreadable(options.template, cause));
  const [file = "", folder = ""] = path.split("/").reverse();
  const name = `${folder}/${file}`;
  const sources = await readFolder(path.slice(0, -file.length - 1), folder);
  sources.set(name, await readText(path));
  const renderer = options.renderer ?? new CagedRenderer();
  try {
    await renderer.load(bundleOf(name, sources));
    return print(await renderer.renderDocuments(name, values), options.output);
  } finally {
    renderer.close();
  }
}

function print(documents: readonly string[], output: "yaml" | "json"): string {
  if (output === "json") return documents.map((document) => `${document}\n`).join("");
  // JSON is YAML, and this reader keeps integers exact.
  return documents.map((document) => writeYaml(readDocuments(document)[0]?.value ?? null)).join("---\n");
}

function readValues(path: string, text: string): string {
  try {
    const [document, second] = readDocuments(text);
    if (document === undefined) return "{}";
    if (second !== undefined || !isMapping(document.value)) {
      const message = "Has to be one mapping: each name that the template sees, with its value";
      throw new ConfigError([{ file: path, line: (second ?? document).line, message }]);
    }
    return document.jsonText();
  } catch (cause) {
    if (!(cause instanceof YamlError)) throw cause;
    throw new ConfigError([{ file: path, line: cause.line, message: cause.message }], { cause });
  }
}

/** The texts of the files beside a template, which it may include. */
async function readFolder(path: string, folder: string): Promise<Map<string, string>> {
  const sources = new Map<string, string>();
  for await (const entry of Deno.readDir(path)) {
    if (entry.isDirectory || entry.name.startsWith(".")) continue;
    const text = await Deno.readTextFile(`${path}/${entry.name}`).catch(() => undefined);
    if (text !== undefined) sources.set(`${folder}/${entry.name}`, text);
  }
  return sources;
}

async function readText(path: string): Promise<string> {
  return await Deno.readTextFile(path).catch((cause) => unreadable(path, cause));
}

function unreadable(path: string, cause: unknown): never {
  const message = cause instanceof Deno.errors.NotFound
    ? "Is not there; give the path of a file"
    : `Cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`;
  throw new ConfigError([{ file: path, message }], { cause });
}

function isMapping(value: YamlValue): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An implementation that is nothing but this template. */
function bundleOf(template: string, sources: ReadonlyMap<string, string>): Bundle {
  const { resyncMs, historyLimit, renderMs, outputBytes } = DEFAULTS;
  return {
    implementation: {
      name: template,
      crd: { group: "", version: "", kind: "", plural: "" },
      language: "jinja2",
      undefined: "lenient",
      values: [],
      watch: [],
      templates: [template],
      jobs: [],
      resyncMs,
      history: { limit: historyLimit },
      namespaces: [],
      limits: { renderMs, outputBytes },
      options: { trimBlocks: false, lstripBlocks: false },
    },
    sources,
    digest: "",
  };
}
