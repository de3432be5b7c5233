/**
 * Instances that do not come to rest: a template that feeds on what it printed last time, or somebody who takes the same field back again and again. Each
 * round would write, each write would wake the next round, hundreds of times a second. So rounds that write although neither the spec nor
 * the templates changed are counted, and slowed: a burst is free, then one in a while. A change that somebody asked for starts anew.
 */

/** Rounds that are free. */
const BURST = 100;
/** One more is free after this time, in milliseconds. */
const REFILL_MS = 2_000;

interface Bucket {
  readonly cause: string;
  readonly tokens: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** It was said that the instance is slowed; once until it has rested. */
  readonly isSaid: boolean;
}

/** Counts by instance. */
export class Restlessness {
  readonly #buckets = new Map<string, Bucket>();

  /** How long the next round of an instance has to wait, in milliseconds. `cause`: what a round answers to (spec and templates). */
  pauseFor(uid: string, cause: string, now: Date): number {
    const { tokens } = this.#bucketOf(uid, cause, now);
    return tokens >= 1 ? 0 : Math.ceil((1 - tokens) * REFILL_MS);
  }

  /** A round wrote. Answers true when it was the last one that is free: the moment to say so, once until the instance has rested. */
  spend(uid: string, cause: string, now: Date): boolean {
    const { tokens, at, isSaid } = this.#bucketOf(uid, cause, now);
    const isLast = tokens < 2;
    this.#buckets.set(uid, { cause, tokens: tokens - 1, at, isSaid: isSaid || isLast });
    return isLast && !isSaid;
  }

  /** Forgets an instance that is gone. */
  forget(uid: string): void {
    this.#buckets.delete(uid);
  }

  #bucketOf(uid: string, cause: string, now: Date): Bucket {
    const at = now.getTime();
    const known = this.#buckets.get(uid);
    if (known === undefined || known.cause !== cause) return { cause, tokens: BURST, at, isSaid: false };
    const tokens = Math.min(BURST, known.tokens + (at - known.at) / REFILL_MS);
    return { cause, tokens, at, isSaid: known.isSaid && tokens < BURST / 2 };
  }
}
