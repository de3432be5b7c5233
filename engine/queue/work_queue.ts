/**
 * The work queue of client-go: keys go in as often as something happens, and come out once, one worker at a time for each key.
 *
 * A key that is added while it waits is there once; one that is added while it is worked on comes again after `done`. So a burst of events is one
 * round, two rounds of one instance never overlap, and no event is lost.
 */
import { type Clock, systemClock } from "./clock.ts";
import { BackoffRateLimiter, type RateLimiter } from "./rate_limiter.ts";

/** Options of a queue. */
export interface WorkQueueOptions {
  readonly clock?: Clock;
  /** Pauses of `addRateLimited`. Default: a BackoffRateLimiter on the same clock. */
  readonly limiter?: RateLimiter;
}

interface Delayed {
  readonly at: number;
  readonly cancel: () => void;
}

/** A queue of keys. */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #limiter: RateLimiter;
  /** Keys to hand out, oldest first. The cursor walks the set once, so that taking one costs the same however many were taken. */
  readonly #waiting = new Set<string>();
  #cursor = this.#waiting.values();
  readonly #processing = new Set<string>();
  /** Keys that were added while they were worked on. */
  readonly #again = new Set<string>();
  readonly #delayed = new Map<string, Delayed>();
  readonly #takers: ((key: string | undefined) => void)[] = [];
  #isShutDown = false;

  constructor(options: WorkQueueOptions = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#limiter = options.limiter ?? new BackoffRateLimiter({ clock: this.#clock });
  }

  /** Keys that wait for a worker now; those with a pause, and those under way, do not count. */
  get length(): number {
    return this.#waiting.size;
  }

  /** The key wants work. */
  add(key: string): void {
    if (this.#isShutDown) return;
    if (this.#processing.has(key)) {
      this.#again.add(key);
      return;
    }
    const take = this.#waiting.has(key) ? undefined : this.#takers.shift();
    if (take === undefined) {
      this.#waiting.add(key);
      return;
    }
    this.#processing.add(key);
    take(key);
  }

  /** The key wants work in `ms` milliseconds. Of several such wishes the earliest stands. */
  addAfter(key: string, ms: number): void {
    if (this.#isShutDown) return;
    if (ms <= 0) return this.add(key);
    const at = this.#clock.now() + ms;
    const earlier = this.#delayed.get(key);
    if (earlier !== undefined && earlier.at <= at) return;
    earlier?.cancel();
    const cancel = this.#clock.after(ms, () => {
      this.#delayed.delete(key);
      this.add(key);
    });
    this.#delayed.set(key, { at, cancel });
  }

  /** The key failed and wants another try, after a pause that grows with each failure, and at least `minimumMs`. */
  addRateLimited(key: string, minimumMs = 0): void {
    if (this.#isShutDown) return;
    this.addAfter(key, Math.max(minimumMs, this.#limiter.delayFor(key)));
  }

  /** Failures of the key that were counted since it was forgotten. */
  retries(key: string): number {
    return this.#limiter.retries(key);
  }

  /** The key succeeded: the next failure starts with the shortest pause again. A try that is planned already stays planned. */
  forget(key: string): void {
    this.#limiter.forget(key);
  }

  /**
   * The next key, once there is one; whoever gets it must say `done`. After `shutdown`: undefined. What then still waits is not
   * handed out: state is what counts, and the next start looks at everything.
   */
  get(): Promise<string | undefined> {
    if (this.#isShutDown) return Promise.resolve(undefined);
    const key = this.#takeWaiting();
    if (key === undefined) return new Promise((resolve) => this.#takers.push(resolve));
    this.#processing.add(key);
    return Promise.resolve(key);
  }

  /** The work on the key has ended, well or not. */
  done(key: string): void {
    this.#processing.delete(key);
    if (this.#again.delete(key)) this.add(key);
  }

  /** Hands out nothing more, drops what waits and leaves no timer behind. Those who wait in `get` are answered with undefined. */
  shutdown(): void {
    this.#isShutDown = true;
    for (const { cancel } of this.#delayed.values()) cancel();
    this.#delayed.clear();
    this.#waiting.clear();
    this.#again.clear();
    for (const take of this.#takers.splice(0)) take(undefined);
  }

  #takeWaiting(): string | undefined {
    let next = this.#cursor.next();
    if (next.done) {
      this.#cursor = this.#waiting.values();
      next = this.#cursor.next();
    }
    if (next.done) return undefined;
    this.#waiting.delete(next.value);
    return next.value;
  }
}
