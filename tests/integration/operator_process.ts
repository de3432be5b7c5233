/**
 * The program itself, as a process of its own: for what only a process shows (exit codes, what stands on stderr, signals, a sudden death).
 */
import { fileURLToPath } from "node:url";
import { until } from "./harness.ts";

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));

/** How a process ended. `code` is that of a signal (137, 143) when one ended it. */
export interface Ended {
  readonly code: number;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running program. Disposing kills it if it still runs. */
export interface OperatorProcess extends AsyncDisposable {
  /** What stands on stderr so far. */
  readonly stderr: () => string;
  /** Waits until stderr holds this. */
  says(pattern: RegExp, timeoutMs?: number): Promise<void>;
  kill(signal: "SIGTERM" | "SIGKILL"): void;
  readonly ended: Promise<Ended>;
}

/** Starts `main.ts` with these words. The environment has nothing that leads to a cluster but `env`. */
export function startProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): OperatorProcess {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", MAIN, ...args],
    env: { KUBECONFIG: "", NO_COLOR: "1", ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const out = collect(child.stdout);
  const err = collect(child.stderr);
  let isRunning = true;
  const ended = (async (): Promise<Ended> => {
    const { code, signal } = await child.status;
    isRunning = false;
    await Promise.all([out.done, err.done]);
    return { code, signal, stdout: out.text(), stderr: err.text() };
  })();
  return {
    stderr: err.text,
    says: async (pattern, timeoutMs) => {
      await until(`stderr holds ${pattern}`, () => {
        if (pattern.test(err.text())) return true;
        throw new Error(err.text());
      }, timeoutMs);
    },
    kill: (signal) => child.kill(signal),
    ended,
    [Symbol.asyncDispose]: async () => {
      if (isRunning) child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Runs `main.ts` to its end. */
export async function runProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  await using process = startProcess(args, env);
  return await process.ended;
}

function collect(
  stream: ReadableStream<Uint8Array>,
): { readonly text: () => string; readonly done: Promise<void> } {
  let text = "";
  const done = (async () => {
    for await (const part of stream.pipeThrough(new TextDecoderStream())) text += part;
  })();
  return { text: () => text, done };
}
