/**
 * Waiting that ends with a signal, for start-up code: reconciles never wait, they are asked again.
 */

/** Resolves after `ms` milliseconds, or at once when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
  });
}

/** Resolves with the first `wake()`, or when the signal aborts. `arm` is given the function to call. */
export function woken(arm: (wake: () => void) => void, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      signal.removeEventListener("abort", end);
      resolve();
    };
    arm(end);
    signal.addEventListener("abort", end, { once: true });
  });
}
