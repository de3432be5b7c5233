/**
 * Exponential back-off as a pure function: the queue's limiter and the reflector's reconnects grow their pauses by the same rule.
 */

/** The first pause and the longest one, in milliseconds. */
export interface BackoffRange {
  readonly baseMs: number;
  readonly maxMs: number;
}

/** The pause before the next try, in milliseconds, after `failures` failures before this one: base, twice that, ... up to the maximum. */
export function backoffMs(failures: number, { baseMs, maxMs }: BackoffRange): number {
  return Math.min(maxMs, baseMs * 2 ** failures);
}
