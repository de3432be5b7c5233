/**
 * Many changes within a short time become one call: a save is several events, and a chart's upgrade writes several ConfigMaps.
 */

/** The two functions of the clock; tests bring their own. */
export interface Timers {
  setTimeout(action: () => void, delayMs: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** Timers of the runtime. */
export const REAL_TIMERS: Timers = {
  setTimeout: (action, delayMs) => setTimeout(action, delayMs),
  clearTimeout(timer) {
    if (typeof timer === "number") clearTimeout(timer);
  },
};

/** A debounced action. */
export interface Debounced {
  /** Something changed: the action runs once nothing has changed for the delay. */
  poke(): void;
  /** The action does not run any more, unless poked again. */
  stop(): void;
}

/** Debounces `action` by `delayMs`. */
export function debounce(action: () => void, delayMs: number, timers: Timers = REAL_TIMERS): Debounced {
  let timer: unknown;
  const stop = () => {
    if (timer !== undefined) timers.clearTimeout(timer);
    timer = undefined;
  };
  const poke = () => {
    stop();
    timer = timers.setTimeout(() => {
      timer = undefined;
      action();
    }, delayMs);
  };
  return { poke, stop };
}
