/**
 * Makes one self-contained program, `dist/generic-operator`: bundles main and the cage's worker, then compiles both into it.
 *
 * Bundled first, so that no node_modules is embedded. `DENO_COMPILE` names the deno that compiles (default: this one), `DENORT_BIN` the runtime part
 * that it would download otherwise.
 */

const USAGE = `Makes one self-contained program, dist/generic-operator. Takes no options.

Usage: deno task compile

Environment:
  DENO_COMPILE  the deno that compiles (default: the one that runs this)
  DENORT_BIN    Deno's runtime part, which is downloaded otherwise
`;

const ROOT = new URL("..", import.meta.url).pathname;
const DIST = `${ROOT}dist`;

/** An older deno that compiles may lack what undici 8 calls when it is loaded; the entry adds it first. */
const SHIM = `import threads from "node:worker_threads";
threads.markAsUncloneable ??= () => {};
`;

async function run(program: string, args: readonly string[]): Promise<void> {
  const { code } = await new Deno.Command(program, {
    args: [...args],
    cwd: ROOT,
    env: { RUST_LIB_BACKTRACE: "0" }, // what deno says of an error is enough
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  if (code !== 0) {
    console.error(`compile: ${program.split("/").at(-1)} ${args[0]} ended with ${code}`);
    Deno.exit(1);
  }
}

async function bundle(from: string, to: string): Promise<void> {
  await run(Deno.execPath(), ["bundle", "--quiet", "--platform", "deno", "-o", `${DIST}/${to}`, from]);
}

if (Deno.args.length > 0) {
  const isHelp = ["--help", "-h"].includes(Deno.args[0] ?? "");
  (isHelp ? console.log : console.error)(USAGE);
  Deno.exit(isHelp ? 0 : 2);
}
await Deno.mkdir(DIST, { recursive: true });
await bundle("main.ts", "main.js");
await bundle("engine/render/cage_worker.ts", "cage_worker.js");
const main = await Deno.readTextFile(`${DIST}/main.js`);
const parts = main.split("./cage_worker.ts");
if (parts.length !== 2) throw new Error(`The bundle names the worker ${parts.length - 1} times, not once`);
await Deno.writeTextFile(`${DIST}/main.js`, parts.join("./cage_worker.js"));
await Deno.writeTextFile(`${DIST}/shim.js`, SHIM);
await Deno.writeTextFile(`${DIST}/entry.js`, `import "./shim.js";\nimport "./main.js";\n`);
await run(Deno.env.get("DENO_COMPILE") ?? Deno.execPath(), [
  "compile",
  "--quiet",
  "--no-check",
  "--no-config",
  "--unstable-worker-options",
  "--allow-net",
  "--allow-read",
  "--allow-env",
  "--allow-sys=hostname",
  "--allow-run",
  "--include",
  `${DIST}/cage_worker.js`,
  "--output",
  `${DIST}/generic-operator`,
  `${DIST}/entry.js`,
]);
console.log(
  `dist/generic-operator (${
    Math.round((await Deno.stat(`${DIST}/generic-operator`)).size / 1024 / 1024)
  } MiB)`,
);
