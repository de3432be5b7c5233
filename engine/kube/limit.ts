/**
 * A deadline and signals of others made one signal, with nothing left behind: no timer and no listener outlive `clear()`.
 */

/** Aborts when the time is over (reason: a `TimeoutError`) or when a parent aborts (its reason). */
export class Limit {
  readonly #controller = new AbortController();
  readonly #parents: readonly AbortSignal[];
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #onParent = () => this.#controller.abort(this.#parents.find(({ aborted }) => aborted)?.reason);
  #isExpired = false;

  constructor(ms: number, ...parents: readonly (AbortSignal | undefined)[]) {
    this.#parents = parents.filter((parent) => parent !== undefined);
    this.#timer = setTimeout(() => {
      this.#isExpired = !this.#controller.signal.aborted;
      this.#controller.abort(new DOMException("Time is over", "TimeoutError"));
    }, ms);
    if (this.#parents.some(({ aborted }) => aborted)) this.#onParent();
    else for (const parent of this.#parents) parent.addEventListener("abort", this.#onParent, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The time ran out (no parent aborted before). */
  get expired(): boolean {
    return this.#isExpired;
  }

  /** No deadline any more; parents still abort. */
  stopClock(): void {
    clearTimeout(this.#timer);
  }

  /** Lets go of timer and parents. */
  clear(): void {
    clearTimeout(this.#timer);
    for (const parent of this.#parents) parent.removeEventListener("abort", this.#onParent);
  }
}
