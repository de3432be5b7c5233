/**
 * The rules of the house as functions on data: which file may import which, which words the engine must not know, how a file begins.
 * `architecture_test.ts` applies them to the tree, and to samples that prove that each rule bites.
 */

/** A source file: path from the repository's root, with `/`. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** A rule broken in a place. */
export interface Violation {
  readonly path: string;
  readonly rule: string;
}

const L0 = ["meta", "observe", "queue", "yaml"];
const L2 = ["implementation", "watch", "render", "apply", "revision", "report", "lease"];

/** Folder of the engine → folders it may import besides itself. `type:` allows only `import type`. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  meta: [],
  observe: [],
  queue: [],
  yaml: ["type:meta"],
  kube: L0,
  ...Object.fromEntries(L2.map((folder) => [folder, ["kube", ...L0]])),
  render: [...L0, "type:implementation"],
  apply: ["kube", ...L0, "type:implementation"],
  reconcile: [...L2, "kube", ...L0],
  runtime: ["reconcile", "watch", "queue", "lease", "kube", "observe", "meta", "type:implementation"],
  testing: [...L0, "kube", ...L2, "reconcile", "runtime"],
};

/** npm package → the one file that may import it. */
const SOLE_IMPORTER: Readonly<Record<string, RegExp>> = {
  "@kubernetes/client-node": /^engine\/kube\/(kubeconfig|credentials)\.ts$/,
  "js-yaml": /^engine\/yaml\//,
  "nunjucks": /^engine\/render\/nunjucks/,
};

/** Words of implementations: none may stand in the engine, the controllers or the command line. */
const FOREIGN_WORDS =
  /secure-?ns|securenamespace|\bsns\b|\begress|\bvip\b|\bcilium|\bkyverno|haproxy|traefik|\bnginx|\btenant/i;

/** The longest a file may be, in lines. */
function maxLines(path: string): number {
  return path.startsWith("engine/render/jinja/") ? 500 : 400;
}

/** All import specifiers of a file, with whether they take types only. */
export function importsOf(
  text: string,
): readonly { readonly specifier: string; readonly typeOnly: boolean }[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");
  const statement = /^(?:import|export)\s+(type\s+)?(?:[^;"']*?\sfrom\s+)?["']([^"']+)["']/gm;
  const dynamic = /\bimport\(\s*["']([^"']+)["']\s*\)/g;
  return [
    ...[...code.matchAll(statement)].map((m) => ({ specifier: m[2] ?? "", typeOnly: m[1] !== undefined })),
    ...[...code.matchAll(dynamic)].map((m) => ({ specifier: m[1] ?? "", typeOnly: false })),
  ];
}

/** Layers: see the table in ARCHITECTURE.md. Tests may import what they like. */
export function layerViolations(file: SourceFile): readonly Violation[] {
  if (isTest(file.path)) return [];
  const violations: Violation[] = [];
  for (const { specifier, typeOnly } of importsOf(file.text)) {
    const rule = specifier.startsWith(".")
      ? brokenByRelative(file.path, resolve(file.path, specifier), typeOnly)
      : brokenByPackage(file.path, specifier);
    if (rule !== undefined) violations.push({ path: file.path, rule });
  }
  return violations;
}

function brokenByPackage(path: string, specifier: string): string | undefined {
  if (specifier.startsWith("jsr:") || specifier.startsWith("@std/")) {
    return `${specifier}: JSR cannot be relied on, use npm`;
  }
  if (/^(npm|https?):/.test(specifier)) return `${specifier}: name it in the import map of deno.json instead`;
  for (const [name, allowed] of Object.entries(SOLE_IMPORTER)) {
    const isIt = specifier === name || specifier.startsWith(`${name}/`);
    if (isIt && !allowed.test(path)) return `${name} may only be imported by ${allowed.source}`;
  }
  return undefined;
}

function brokenByRelative(from: string, to: string, typeOnly: boolean): string | undefined {
  const [fromTop, fromFolder] = from.split("/");
  const [toTop, toFolder] = to.split("/");
  if (toTop === "tests" || toTop === "tools") {
    return fromTop === "tools" || fromTop === "tests"
      ? undefined
      : `${from} imports ${to}: ${toTop}/ is not part of the product`;
  }
  if (fromTop === "controllers" || fromTop === "cli" || from === "main.ts") {
    if (from === "main.ts" && to === "deno.json") return undefined; // the version
    if (to === "engine/mod.ts" || toTop === fromTop && fromTop !== undefined && sameFolder(from, to)) {
      return undefined;
    }
    if (from === "main.ts" && (toTop === "controllers" || toTop === "cli")) return undefined;
    return `${from} imports ${to}: only engine/mod.ts is open to it`;
  }
  if (fromTop !== "engine") return undefined;
  if (toTop !== "engine") return `${from} imports ${to}: the engine imports nothing outside itself`;
  if (fromFolder === toFolder || from === "engine/mod.ts") return undefined;
  const allowed = MAY_IMPORT[fromFolder ?? ""] ?? [];
  if (toFolder !== undefined && allowed.includes(toFolder)) return undefined;
  if (typeOnly && allowed.includes(`type:${toFolder}`)) return undefined;
  return `${fromFolder} may not import ${toFolder} (${to})`;
}

/** controllers/operator and controllers/instance never import each other; files of cli may. */
function sameFolder(from: string, to: string): boolean {
  const folder = (path: string) => path.split("/").slice(0, -1).join("/");
  return folder(from) === folder(to);
}

function resolve(from: string, specifier: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** Words of an implementation in code that must know none. The flag value `vip-controller` in main.ts is the one exception. */
export function wordViolations(file: SourceFile): readonly Violation[] {
  if (!/^(engine|controllers|cli)\/|^main\.ts$/.test(file.path)) return [];
  const text = file.path === "main.ts" ? file.text.replaceAll("vip-controller", "") : file.text;
  const found = FOREIGN_WORDS.exec(text);
  return found === null
    ? []
    : [{ path: file.path, rule: `knows the word "${found[0]}" of an implementation` }];
}

/** Shape of a file: an opening comment, a bounded length, a name that says something. */
export function shapeViolations(file: SourceFile): readonly Violation[] {
  const violations: Violation[] = [];
  const say = (rule: string) => violations.push({ path: file.path, rule });
  if (!file.text.startsWith("/**") && !isTest(file.path)) {
    say("must open with a comment: what flows in, what out, why so");
  }
  const lines = file.text.split("\n").length - 1;
  if (lines > maxLines(file.path)) {
    say(`has ${lines} lines, at most ${maxLines(file.path)}: split it by verb`);
  }
  const name = file.path.split("/").at(-1) ?? "";
  if (/^(utils?|helpers?|common|types|index|handlers?|services?)\.ts$/.test(name)) {
    say(`${name} says nothing: name it after its idea`);
  }
  if (!/^[a-z0-9_]+\.ts$/.test(name)) say(`${name}: file names are lower case with underscores`);
  return violations;
}

/** A comment on every export: `deno doc --lint` would ask one for every property too, where a name and a type say it all. */
export function docViolations(file: SourceFile): readonly Violation[] {
  if (isTest(file.path)) return [];
  const lines = file.text.split("\n");
  const violations: Violation[] = [];
  for (const [index, line] of lines.entries()) {
    const name =
      /^export (?:default )?(?:async )?(?:abstract )?(?:function\*?|class|interface|type|const) (\w+)/.exec(
        line,
      )?.[1];
    if (name === undefined || (lines[index - 1] ?? "").trimEnd().endsWith("*/")) continue;
    if (lines.slice(0, index).some((before) => before.startsWith(`export function ${name}(`))) continue; // an overload
    violations.push({ path: file.path, rule: `export ${name} has no doc comment` });
  }
  return violations;
}

/** Deno's global state belongs to main.ts (and to programs under tools/ and tests/). */
export function globalViolations(file: SourceFile): readonly Violation[] {
  if (!/^(engine|controllers|cli)\//.test(file.path) || isTest(file.path)) return [];
  const code = file.text.replaceAll(/\/\*[\s\S]*?\*\//g, "");
  const found = /Deno\.(args|exit|addSignalListener)\b/.exec(code);
  return found === null ? [] : [{ path: file.path, rule: `${found[0]} belongs to main.ts` }];
}

function isTest(path: string): boolean {
  return /_(test|bench)\.ts$/.test(path) || path.startsWith("tests/");
}
