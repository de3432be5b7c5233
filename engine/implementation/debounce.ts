/**
 * Many changes within a short time become one call: a save is several events, and a chart's upgrade writes several ConfigMaps.
 */

import { type Clock, systemClock } from "../queue/mod.ts";

/** A debounced action. */
export interface Debounced {
  /** Something changed: the action runs once nothing has changed for the delay. */
  poke(): void;
  /** The action does not run any more, unless poked again. */
  stop(): void;
}

/** Debounces `action` by `delayMs`. */
export function debounce(action: () => void, delayMs: number, clock: Clock = systemClock): Debounced {
  let stop = () => {};
  const poke = () => {
    stop();
    stop = clock.after(delayMs, action);
  };
  return { poke, stop: () => stop() };
}
