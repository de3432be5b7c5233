/**
 * The test command: unit, architecture and conformance tests, then everything that needs a real API server, on one control plane for the whole run.
 *
 * Streams what Deno prints, names every skip with its reason, and closes with `N passed, N failed, N skipped`. Exits with 1 when anything failed, and when
 * nothing ran. `--unit` runs without a control plane; further words are passed on to `deno test` (files, `--filter`).
 */
interface Totals {
  passed: number;
  failed: number;
  skipped: number;
}

const USAGE = `Runs the tests: without words all of them, which starts a control plane on loopback.

Usage: deno task unit [WORD ...]   unit, architecture and conformance tests; no control plane
       deno task test [WORD ...]   all; with words only these, on a control plane

Words go to deno test: files, --filter TEXT, --fail-fast.

Examples:
  deno task unit --filter "a misspelt key"
  deno task test tests/integration/drift_test.ts
`;

const UNIT_FOLDERS = [
  "main_test.ts",
  "engine",
  "controllers",
  "cli",
  "tools",
  "tests/architecture_test.ts",
  "tests/readme_test.ts",
  "tests/conformance",
  "tests/cases",
];
const REAL_FOLDERS = ["tests/integration", "tests/secure_namespace"];
const DENO_TEST = [
  "test",
  "--allow-all",
  "--unstable-worker-options",
  "--sanitize-ops",
  "--sanitize-resources",
];
/** Puts a real control plane around a command; its words come behind. */
const WITH_CONTROL_PLANE = ["run", "--allow-all", "tools/with_control_plane.ts", "--", Deno.execPath()];

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

/** Runs `deno test` and adds what its closing line says. */
async function run(name: string, args: readonly string[], totals: Totals): Promise<void> {
  console.log(`\n== ${name}`);
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let text = "";
  const copy = async (from: ReadableStream<Uint8Array>, to: { writeSync(bytes: Uint8Array): number }) => {
    const decoder = new TextDecoder();
    for await (const bytes of from) {
      for (let at = 0; at < bytes.length;) at += to.writeSync(bytes.subarray(at));
      text += decoder.decode(bytes, { stream: true });
    }
  };
  await Promise.all([copy(child.stdout, Deno.stdout), copy(child.stderr, Deno.stderr)]);
  const { code } = await child.status;
  const closing = /(?:ok|FAILED) \| (\d+) passed.*? \| (\d+) failed(?:.*? \| (\d+) ignored)?/.exec(text);
  totals.passed += Number(closing?.[1] ?? 0);
  totals.failed += Number(closing?.[2] ?? 0);
  totals.skipped += Number(closing?.[3] ?? 0);
  if (code !== 0 && Number(closing?.[2] ?? 0) === 0) {
    console.log(`${name}: deno test ended with ${code} without a failed test (see above)`);
    totals.failed++;
  }
}

const words = [...Deno.args];
if (words.includes("--help") || words.includes("-h")) {
  console.log(USAGE);
  Deno.exit(0);
}
const unitOnly = words[0] === "--unit";
if (unitOnly) words.shift();
const totals: Totals = { passed: 0, failed: 0, skipped: 0 };
const started = performance.now();
if (words.length === 0 || unitOnly) {
  const folders: string[] = [];
  for (const folder of UNIT_FOLDERS) if (await exists(folder)) folders.push(folder);
  await run("unit, architecture, conformance", [...DENO_TEST, ...folders, ...words], totals);
}
if (!unitOnly) {
  const files = words.length === 0 ? REAL_FOLDERS : words;
  await run("integration, on a real API server", [...WITH_CONTROL_PLANE, ...DENO_TEST, ...files], totals);
}
console.log(`\nTook ${Math.round((performance.now() - started) / 1000)} s`);
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
Deno.exit(totals.failed > 0 || totals.passed === 0 ? 1 : 0);
