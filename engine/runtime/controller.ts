/**
 * The loop: takes requests from the queue, runs the reconciler, and puts back what has to be looked at again.
 *
 * It decides nothing about objects. An error means another try with growing pauses; an API server that does not answer is no fault of the
 * instance, so then the pause stays short.
 */
import { ApiError } from "../kube/mod.ts";
import type { Logger, Metrics } from "../observe/mod.ts";
import type { WorkQueue } from "../queue/mod.ts";
import { parseRequestKey, type Reconciler, type Result } from "../reconcile/reconciler.ts";

/** What a controller runs on. */
export interface ControllerOptions {
  /** Label of its metrics and log lines. */
  readonly name: string;
  readonly queue: WorkQueue;
  readonly reconciler: Reconciler;
  /** Requests reconciled at the same time. Never two for one instance. */
  readonly workers: number;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** Pause while the API server does not answer, in milliseconds. */
const UNREACHABLE_MS = 2_000;

/** Runs workers until the signal, then lets them finish what is under way. */
export class Controller {
  readonly #options: ControllerOptions;

  constructor(options: ControllerOptions) {
    this.#options = options;
  }

  /** Ends when all workers have ended. */
  async run(signal: AbortSignal): Promise<void> {
    const { queue, workers } = this.#options;
    const stop = () => queue.shutdown();
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    await Promise.all(Array.from({ length: workers }, () => this.#work(signal)));
    signal.removeEventListener("abort", stop);
  }

  async #work(signal: AbortSignal): Promise<void> {
    const { queue } = this.#options;
    for (let key = await queue.get(); key !== undefined; key = await queue.get()) {
      try {
        await this.#reconcile(key, signal);
      } finally {
        queue.done(key);
      }
    }
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<void> {
    const { name, queue, reconciler, log, metrics } = this.#options;
    const started = performance.now();
    let outcome = "success";
    try {
      const result = await reconciler.reconcile(parseRequestKey(key), signal);
      outcome = this.#requeue(key, result);
    } catch (error) {
      if (signal.aborted) return;
      outcome = "error";
      const message = error instanceof Error ? error.message : String(error);
      log.error(`Reconcile failed: ${message}`, { instance: key, attempt: queue.retries(key) + 1 });
      if (error instanceof ApiError && error.code === 0) queue.addAfter(key, UNREACHABLE_MS);
      else queue.addRateLimited(key, error instanceof ApiError ? error.retryAfterMs : undefined);
    } finally {
      metrics.counter("generic_operator_reconcile_total", { controller: name, result: outcome });
      metrics.histogram("generic_operator_reconcile_time_seconds", (performance.now() - started) / 1000, {
        controller: name,
      });
    }
  }

  #requeue(key: string, { requeueAfterMs, retry }: Result): string {
    const { queue } = this.#options;
    if (retry === true) {
      queue.addRateLimited(key, requeueAfterMs);
      return "retry";
    }
    queue.forget(key);
    if (requeueAfterMs === undefined) return "success";
    queue.addAfter(key, requeueAfterMs);
    return "requeue_after";
  }
}
