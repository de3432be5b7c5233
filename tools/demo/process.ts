/**
 * What the demo has of its process: a screen, stderr, and the wish to end. A signal does not end the demo by itself, since there is a cluster to tidy
 * up: it ends what is waited for.
 */
import type { Screen } from "./screen.ts";

/** What the process lends to the demo. */
export interface DemoProcess {
  readonly screen: Screen;
  /** Takes lines on stderr: progress of a build, and what went wrong. */
  readonly complain: (line: string) => void;
  /** Aborts when the person (or the system) wants an end; its reason is an Error. */
  readonly signal: AbortSignal;
}

/** The work's result, or the signal's reason as soon as it aborts; the work itself goes on until the process ends. */
export async function unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
