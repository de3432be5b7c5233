/**
 * When a program that keeps a control plane has to end: told by a signal, or left alone by the processes that it works
 * for. The second matters for npx, `deno task`, test runners and scripts that are killed without a chance to tell anyone.
 */
import process from "node:process";
import { launchersFrom } from "./launchers.ts";

/** What a program waits for before it ends. */
export interface StopRequest {
  /** Resolves with what happened, for people. A second signal then ends the process at once, as usual. */
  readonly received: Promise<string>;
  /** Stops watching. */
  cancel(): void;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const LOOK_MS = 500;

/**
 * Watches for SIGINT, SIGTERM, SIGHUP and for the end of the process `parent`; by default of the process that started
 * this one and of the launchers above it.
 */
export async function watchForStop(parent?: number): Promise<StopRequest> {
  const startedBy = Deno.ppid;
  const watched = parent === undefined ? await launchersFrom(startedBy) : [parent];
  const { promise, resolve } = Promise.withResolvers<string>();
  const listeners = SIGNALS.map((signal) => ({ signal, listener: () => stop(`got ${signal}`) }));
  const timer = setInterval(() => {
    // Being handed to another parent tells more than the process id, which stays until somebody asks for the exit code.
    const orphaned = parent === undefined && Deno.ppid !== startedBy;
    const ended = orphaned ? startedBy : watched.find((pid) => !isRunning(pid));
    if (ended !== undefined) stop(`process ${ended} ended`);
  }, LOOK_MS);
  const cancel = () => {
    clearInterval(timer);
    for (const { signal, listener } of listeners) Deno.removeSignalListener(signal, listener);
  };
  const stop = (reason: string) => {
    cancel();
    resolve(reason);
  };
  for (const { signal, listener } of listeners) Deno.addSignalListener(signal, listener);
  return { received: promise, cancel };
}

/** Whether a process of this id exists. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"; // there, but somebody else's
  }
}
