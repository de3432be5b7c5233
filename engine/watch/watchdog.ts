/**
 * The life of one connection: a signal that aborts with the outer one, or by itself when the connection gave no sign of life for too long.
 *
 * A connection can die without an end (a frozen proxy, a machine that is gone): then nothing comes, for ever, and only time tells. A sign of life is
 * frequent, so it costs one assignment; the one timer looks when the last one was.
 */
import type { Clock } from "../queue/mod.ts";

/** Watches over one connection; `close` it in any case. */
export class Watchdog {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #outer: AbortSignal;
  readonly #controller = new AbortController();
  readonly #stop = () => this.#controller.abort();
  #lastSign: number;
  #cancelTimer: () => void;
  #isStalled = false;

  constructor(outer: AbortSignal, options: { readonly clock: Clock; readonly limitMs: number }) {
    this.#clock = options.clock;
    this.#limitMs = options.limitMs;
    this.#outer = outer;
    this.#lastSign = this.#clock.now();
    this.#cancelTimer = this.#clock.after(this.#limitMs, () => this.#look());
    if (outer.aborted) this.#stop();
    outer.addEventListener("abort", this.#stop, { once: true });
  }

  /** Aborts at the end of the connection, whoever wants it. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Was it the silence that ended it? */
  get isStalled(): boolean {
    return this.#isStalled;
  }

  /** A sign of life. */
  touch(): void {
    this.#lastSign = this.#clock.now();
  }

  /** The result, or a rejection as soon as the signal aborts: for requests that know no signal. */
  orAbort<T>(result: Promise<T>): Promise<T> {
    const { signal } = this;
    return new Promise((resolve, reject) => {
      const abort = () => reject(signal.reason);
      if (signal.aborted) abort();
      signal.addEventListener("abort", abort, { once: true });
      result.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
    });
  }

  /** The connection has ended: no timer and no listener stay. */
  close(): void {
    this.#cancelTimer();
    this.#outer.removeEventListener("abort", this.#stop);
    this.#controller.abort();
  }

  #look(): void {
    const leftMs = this.#lastSign + this.#limitMs - this.#clock.now();
    if (leftMs > 0) {
      this.#cancelTimer = this.#clock.after(leftMs, () => this.#look());
      return;
    }
    this.#isStalled = true;
    this.#controller.abort();
  }
}
