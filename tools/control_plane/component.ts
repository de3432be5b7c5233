/**
 * One program of the control plane as a process that cannot outlive this one.
 *
 * A small `sh` stands between: it starts the program, reads signal names from a pipe that only this process holds, and
 * kills the program once the pipe ends, which the kernel sees to even after kill -9. (Linux' parent-death signal would be
 * shorter, but it follows the thread that spawned, not the process, and is not there elsewhere.) The `sh` leads a session
 * of its own, so that Ctrl-C on a terminal does not take etcd away under the API server.
 */

/** What to run, and where its output goes. */
export interface ComponentOptions {
  /** Name in messages, say `kube-apiserver`. */
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** File that takes stdout and stderr; appended to. */
  readonly logPath: string;
}

const WATCHDOG = `
log=$1; shift
exec 3<&0
"$@" </dev/null >>"$log" 2>&1 3<&- &
program=$!
{ while read -r signal <&3; do kill -s "$signal" "$program"; done; kill -s KILL "$program"; } 2>/dev/null &
reader=$!
exec 3<&-
wait "$program"; code=$?
kill "$reader"
exit "$code"
`;

/** A running program. `start()` may be called again after `stop()`. */
export class Component {
  readonly #options: ComponentOptions;
  #process: Deno.ChildProcess | undefined;
  #writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>> | undefined;

  constructor(options: ComponentOptions) {
    this.#options = options;
  }

  /** Starts the program and returns at once. */
  start(): void {
    const { program, args, logPath } = this.#options;
    this.#process = new Deno.Command("sh", {
      args: ["-c", WATCHDOG, "watchdog", logPath, program, ...args],
      stdin: "piped",
      stdout: "null",
      stderr: "null",
      detached: true,
    }).spawn();
    this.#writer = this.#process.stdin.getWriter();
  }

  /**
   * Waits until `probe` says true, asking every 50 ms, up to `timeoutMs`. Throws when the program ends first or the time
   * is up; the message holds the end of its log.
   */
  async waitUntil(probe: () => Promise<boolean>, timeoutMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    const ended = this.#process?.status.then((status) => status.code);
    for (;;) {
      if (await probe()) return;
      const pause = new AbortController();
      const code = await Promise.race([ended, delay(50, pause.signal)]);
      pause.abort();
      if (code !== undefined) throw await this.#failure(`ended with code ${code}`);
      if (performance.now() > deadline) {
        throw await this.#failure(`was not ready after ${timeoutMs / 1000} s`);
      }
    }
  }

  /**
   * Ends the program and waits until it is gone: by SIGTERM, then after `graceMs` by SIGKILL; at once by SIGKILL when
   * `graceMs` is 0. Does nothing when it does not run.
   */
  async stop(graceMs: number): Promise<void> {
    const process = this.#process;
    const writer = this.#writer;
    if (process === undefined || writer === undefined) return;
    this.#process = undefined;
    this.#writer = undefined;
    if (graceMs > 0) {
      // Fails only when the program has ended by itself.
      await writer.write(new TextEncoder().encode("TERM\n")).catch(() => undefined);
      const timer = new AbortController();
      await Promise.race([process.status, delay(graceMs, timer.signal)]);
      timer.abort();
    }
    await writer.close().catch(() => undefined);
    await process.status;
  }

  async #failure(what: string): Promise<Error> {
    const log = await Deno.readTextFile(this.#options.logPath).catch(() => "(no log)");
    const tail = log.trimEnd().split("\n").slice(-12).join("\n");
    return new Error(`${this.#options.name} ${what}; its log ends with:\n${tail}`);
  }
}

/** Resolves after `milliseconds`, or as soon as `signal` is aborted. */
function delay(milliseconds: number, signal?: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve(undefined);
    });
  });
}
