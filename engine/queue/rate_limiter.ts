/**
 * How long a key waits before its next try: a key in, milliseconds out. The larger of two pauses, as in client-go: one that doubles with each
 * failure of that key, and one that a token bucket over all keys sets, so that a thousand keys failing together do not become a storm.
 *
 * Ours begins at 50 ms (client-go: 5 ms): a round that failed once mostly failed for something that takes a moment, and half a dozen
 * tries within a third of a second only cost requests. It ends at 5 minutes (client-go: 1000 s), what a person waits after a repair.
 */
import { backoffMs, type BackoffRange } from "./backoff.ts";
import { type Clock, systemClock } from "./clock.ts";

/** The port: pauses by key. */
export interface RateLimiter {
  /** Counts one more failure of the key; milliseconds to wait before its next try. */
  delayFor(key: string): number;
  /** Failures of the key since it was last forgotten. */
  retries(key: string): number;
  /** The key succeeded, or is given up. */
  forget(key: string): void;
}

/** Options of the limiter. */
export interface BackoffRateLimiterOptions extends Partial<BackoffRange> {
  /** Tokens that the overall bucket gains each second. Default 10. */
  readonly perSecond?: number;
  /** Tokens that the overall bucket holds. Default 100. */
  readonly burst?: number;
  readonly clock?: Clock;
}

/** Exponential pauses by key (default 50 ms to 5 minutes) and an overall token bucket. */
export class BackoffRateLimiter implements RateLimiter {
  readonly #range: BackoffRange;
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #clock: Clock;
  readonly #failures = new Map<string, number>();
  /** Tokens in the bucket at `#filledAt`; below zero, the next ones are promised already. */
  #tokens: number;
  #filledAt: number;

  constructor(options: BackoffRateLimiterOptions = {}) {
    const { baseMs = 50, maxMs = 300_000, perSecond = 10, burst = 100, clock = systemClock } = options;
    this.#range = { baseMs, maxMs };
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#clock = clock;
    this.#tokens = burst;
    this.#filledAt = clock.now();
  }

  delayFor(key: string): number {
    const failures = this.retries(key);
    this.#failures.set(key, failures + 1);
    return Math.max(backoffMs(failures, this.#range), this.#takeToken());
  }

  retries(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** Takes a token; milliseconds until it is there. */
  #takeToken(): number {
    const now = this.#clock.now();
    const gained = (now - this.#filledAt) / 1000 * this.#perSecond;
    this.#tokens = Math.min(this.#burst, this.#tokens + gained) - 1;
    this.#filledAt = now;
    return this.#tokens >= 0 ? 0 : -this.#tokens / this.#perSecond * 1000;
  }
}
