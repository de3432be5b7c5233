/** Holds the tree to the house's rules, and proves with samples that each rule bites. */
import assert from "node:assert/strict";
import {
  docViolations,
  globalViolations,
  layerViolations,
  shapeViolations,
  wordViolations,
} from "./architecture_rules.ts";
import type { SourceFile, Violation } from "./architecture_rules.ts";

const ROOT = new URL("..", import.meta.url).pathname.replace(/\/$/, "");
const RULES: readonly ((file: SourceFile) => readonly Violation[])[] = [
  layerViolations,
  wordViolations,
  shapeViolations,
  globalViolations,
  docViolations,
];

async function sourceFiles(): Promise<readonly SourceFile[]> {
  const { stdout } = await new Deno.Command("git", {
    args: ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.ts"],
    cwd: ROOT,
  }).output();
  const paths = new TextDecoder().decode(stdout).split("\0").filter((path) => path !== "");
  const files: SourceFile[] = [];
  for (const path of paths) {
    const text = await Deno.readTextFile(`${ROOT}/${path}`).catch(() => undefined);
    if (text !== undefined) files.push({ path, text });
  }
  return files;
}

Deno.test("the tree keeps layers, words, shapes and globals", async () => {
  const files = await sourceFiles();
  assert.ok(files.length > 20, `only ${files.length} source files found`);
  const violations = files.flatMap((file) => RULES.flatMap((rule) => rule(file)));
  assert.deepEqual(violations.map(({ path, rule }) => `${path}: ${rule}`), []);
});

const SAMPLES: readonly { readonly name: string; readonly file: SourceFile; readonly bites: RegExp }[] = [
  {
    name: "L0 imports L0",
    file: sample("engine/queue/x.ts", `import { a } from "../observe/mod.ts";`),
    bites: /queue may not import observe/,
  },
  {
    name: "L2 imports L2",
    file: sample("engine/watch/x.ts", `import { a } from "../apply/mod.ts";`),
    bites: /watch may not import apply/,
  },
  {
    name: "render imports kube",
    file: sample("engine/render/x.ts", `import { a } from "../kube/mod.ts";`),
    bites: /render may not import kube/,
  },
  {
    name: "apply imports values of implementation",
    file: sample("engine/apply/x.ts", `import { a } from "../implementation/mod.ts";`),
    bites: /apply may not import implementation/,
  },
  {
    name: "runtime imports apply",
    file: sample("engine/runtime/x.ts", `import { a } from "../apply/mod.ts";`),
    bites: /runtime may not import apply/,
  },
  {
    name: "controllers go past the door",
    file: sample("controllers/operator/x.ts", `import { a } from "../../engine/apply/mod.ts";`),
    bites: /only engine\/mod.ts/,
  },
  {
    name: "controllers import each other",
    file: sample("controllers/operator/x.ts", `import { a } from "../instance/x.ts";`),
    bites: /only engine\/mod.ts/,
  },
  {
    name: "the engine imports a tool",
    file: sample("engine/kube/x.ts", `import { a } from "../../tools/x.ts";`),
    bites: /not part of the product/,
  },
  {
    name: "a second importer of client-node",
    file: sample("engine/kube/x.ts", `import { a } from "@kubernetes/client-node";`),
    bites: /may only be imported by/,
  },
  { name: "JSR", file: sample("engine/meta/x.ts", `import { a } from "jsr:@std/assert";`), bites: /JSR/ },
  {
    name: "an inline npm specifier",
    file: sample("engine/meta/x.ts", `import a from "npm:left-pad@1.0.0";`),
    bites: /import map/,
  },
  {
    name: "a multi-line import",
    file: sample("engine/queue/x.ts", `import {\n  a,\n  b,\n} from "../observe/mod.ts";`),
    bites: /queue may not import observe/,
  },
  {
    name: "a dynamic import",
    file: sample("engine/queue/x.ts", `const a = await import("../observe/mod.ts");`),
    bites: /queue may not import observe/,
  },
  {
    name: "a word of an implementation",
    file: sample("engine/apply/x.ts", `const kind = "Secure" + "Namespace"; // SecureNamespace`),
    bites: /knows the word/,
  },
  {
    name: "no opening comment",
    file: { path: "engine/apply/x.ts", text: "const a = 1;\n" },
    bites: /must open with a comment/,
  },
  { name: "too long", file: sample("engine/apply/x.ts", "\n".repeat(500)), bites: /at most 400/ },
  { name: "a name that says nothing", file: sample("engine/apply/utils.ts", ""), bites: /says nothing/ },
  {
    name: "an export without a doc comment",
    file: sample("engine/apply/x.ts", "\nexport function f(): void {}"),
    bites: /export f has no doc comment/,
  },
  { name: "exit outside main", file: sample("cli/x.ts", "Deno.exit(1);"), bites: /belongs to main.ts/ },
];

function sample(path: string, code: string): SourceFile {
  return { path, text: `/** A sample. */\n${code}\n` };
}

for (const { name, file, bites } of SAMPLES) {
  Deno.test(`the rule bites: ${name}`, () => {
    const rules = RULES.flatMap((rule) => rule(file)).map((violation) => violation.rule);
    assert.ok(rules.some((rule) => bites.test(rule)), `expected ${bites}, got ${JSON.stringify(rules)}`);
  });
}

Deno.test("allowed imports pass: types of implementation in apply, the door for controllers", () => {
  const files = [
    sample("engine/apply/x.ts", `import type { Bundle } from "../implementation/mod.ts";`),
    sample(
      "controllers/operator/x.ts",
      `import { a } from "../../engine/mod.ts";\nimport { b } from "./y.ts";`,
    ),
    sample("main.ts", `import { a } from "./controllers/operator/x.ts";\nconst mode = "vip-controller";`),
  ];
  assert.deepEqual(files.flatMap((file) => RULES.flatMap((rule) => rule(file))), []);
});

Deno.test("one Deno version everywhere: .tool-versions says which", async () => {
  const tools = await Deno.readTextFile(`${ROOT}/.tool-versions`);
  const version = /^deno (\d+\.\d+\.\d+)$/m.exec(tools)?.[1];
  assert.ok(version, ".tool-versions needs a line `deno X.Y.Z`");
  for (const name of ["README.md", "CONTRIBUTING.md", ".ci/run", "Dockerfile", "deno.json"]) {
    const text = await Deno.readTextFile(`${ROOT}/${name}`).catch(() => "");
    const named = [...text.matchAll(/deno(?:@|:|-)v?(\d+\.\d+\.\d+)/g)].map((match) => match[1]);
    assert.deepEqual(
      [...new Set(named)].filter((one) => one !== version),
      [],
      `${name} names another Deno than ${version}`,
    );
    if (name === "README.md" || name === ".ci/run") {
      assert.ok(named.length > 0, `${name} must name deno@${version}`);
    }
  }
});
