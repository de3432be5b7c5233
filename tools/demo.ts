/**
 * `deno task demo`: the main job on a real API server, from nothing to nothing, for a person to look at. Here are only the words, the terminal and the
 * signals; `demo/run.ts` has the rest.
 */
import { type DemoArguments, HELP, readArguments } from "./demo/arguments.ts";
import { runDemo } from "./demo/run.ts";
import { Screen } from "./demo/screen.ts";
import { watchForStop } from "./control_plane/stop_request.ts";

/** Writes all of a text. A reader that is gone (`| head`) is no reason to leave a cluster untidy. */
function write(stream: { writeSync(bytes: Uint8Array): number }, text: string): void {
  const bytes = new TextEncoder().encode(text);
  try {
    for (let at = 0; at < bytes.length;) at += stream.writeSync(bytes.subarray(at));
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}

function complain(line: string): void {
  write(Deno.stderr, `${line}\n`);
}

function openScreen(): Screen {
  const isTerminal = Deno.stdout.isTerminal();
  return new Screen({
    write: (text) => write(Deno.stdout, text),
    isTerminal,
    hasColours: isTerminal && !Deno.noColor,
    size: () => isTerminal ? Deno.consoleSize() : { columns: 80, rows: 24 },
  });
}

async function run(demo: DemoArguments): Promise<number> {
  const stop = await watchForStop();
  const controller = new AbortController();
  stop.received.then((reason) => {
    controller.abort(new Error(`Stopped (${reason})`));
    complain("Stopping and tidying up; once more ends at once");
  });
  const isFine = await runDemo(demo, { screen: openScreen(), complain, signal: controller.signal });
  return isFine ? 0 : 1;
}

async function main(words: readonly string[]): Promise<number> {
  let demo: DemoArguments;
  try {
    demo = readArguments(words);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    complain(`${error.message} (see --help)`);
    return 2;
  }
  if (!demo.help) return await run(demo);
  write(Deno.stdout, HELP);
  return 0;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
