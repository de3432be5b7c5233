/**
 * A deadline and a caller's signal made one signal, with nothing left behind: no timer and no listener outlive `clear()`.
 */

/** Aborts when the time is over (reason: a `TimeoutError`) or when the parent aborts (its reason). */
export class Limit {
  readonly #controller = new AbortController();
  readonly #parent: AbortSignal | undefined;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #onParent = () => this.#controller.abort(this.#parent?.reason);

  constructor(ms: number, parent?: AbortSignal) {
    this.#parent = parent;
    this.#timer = setTimeout(
      () => this.#controller.abort(new DOMException("Time is over", "TimeoutError")),
      ms,
    );
    if (parent?.aborted) this.#onParent();
    else parent?.addEventListener("abort", this.#onParent, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The time ran out (the parent did not abort). */
  get expired(): boolean {
    const { reason } = this.#controller.signal;
    return reason instanceof DOMException && reason.name === "TimeoutError" &&
      reason !== this.#parent?.reason;
  }

  /** No deadline any more; the parent still aborts. */
  stopClock(): void {
    clearTimeout(this.#timer);
  }

  /** Lets go of timer and parent. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#parent?.removeEventListener("abort", this.#onParent);
  }
}
