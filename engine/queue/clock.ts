/**
 * Time as a port: what waits for time takes a `Clock`, so that tests move time by hand and never sleep.
 */

/** Monotonic time and one-shot timers. */
export interface Clock {
  /** Milliseconds since some moment; never goes back. */
  now(): number;
  /** Calls back once, after `ms` milliseconds or a little later. The answer takes the call back. */
  after(ms: number, callback: () => void): () => void;
}

/** The longest time that `setTimeout` can wait: beyond it, it fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Time as it is. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after: startTimer,
};

function startTimer(ms: number, callback: () => void): () => void {
  const due = performance.now() + ms;
  let timer = setTimeout(fire, Math.min(ms, LONGEST_TIMER_MS));
  function fire(): void {
    const left = due - performance.now();
    if (left < 1) callback();
    else timer = setTimeout(fire, Math.min(left, LONGEST_TIMER_MS));
  }
  return () => clearTimeout(timer);
}
