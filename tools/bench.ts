/**
 * `deno task bench`: the benches that stand beside the code of the engine. Words go in, `deno bench` runs with them; `--help` is answered here, because
 * deno's own help speaks of everything but these benches.
 */
const USAGE = `Runs the benches of the engine (engine/**/x_bench.ts).

Usage: deno task bench [WORD ...]

Words go to deno bench: --filter TEXT, --json.

Example: deno task bench --filter render
`;
const DENO_BENCH = ["bench", "--allow-all", "--unstable-worker-options", "engine"];

if (Deno.args.includes("--help") || Deno.args.includes("-h")) {
  console.log(USAGE);
  Deno.exit(0);
}
const child = new Deno.Command(Deno.execPath(), { args: [...DENO_BENCH, ...Deno.args] }).spawn();
Deno.exit((await child.status).code);
