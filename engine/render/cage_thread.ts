/**
 * The Worker behind a port as small as the cage needs it, so that the cage's rules can be tested without one.
 */
import type { CageAnswer, CageRequest } from "./cage_protocol.ts";

/** A running Worker. After `end` nothing comes any more. */
export interface CageThread {
  post(request: CageRequest): void;
  /** Ends it at once, also in the midst of an endless loop. */
  end(): void;
}

/** Who hears of a thread. */
export interface CageListener {
  answer(answer: CageAnswer): void;
  /** The thread ended by itself: it could not start, or an error escaped. */
  crashed(message: string): void;
}

/** Starts a thread. */
export type SpawnThread = (listener: CageListener) => CageThread;

/** Where the worker's module is, unless a compiled program has it elsewhere. */
export const WORKER_URL = new URL("./cage_worker.ts", import.meta.url);

/** Starts Workers without any permission from the module at `url`. */
export function workerSpawner(url: URL = WORKER_URL): SpawnThread {
  return (listener) => {
    const worker = new Worker(url, { type: "module", name: "templates", deno: { permissions: "none" } });
    worker.onmessage = (event: MessageEvent<CageAnswer>) => listener.answer(event.data);
    worker.onerror = (event) => {
      event.preventDefault();
      listener.crashed(event.message);
    };
    worker.onmessageerror = () => listener.crashed("A message could not be read");
    return { post: (request) => worker.postMessage(request), end: () => worker.terminate() };
  };
}
