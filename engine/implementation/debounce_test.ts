import assert from "node:assert/strict";
import { debounce, type Timers } from "./debounce.ts";

/** Timers that fire when told. */
class FakeTimers implements Timers {
  readonly pending = new Map<number, { readonly action: () => void; readonly delayMs: number }>();
  #next = 1;

  setTimeout(action: () => void, delayMs: number): unknown {
    this.pending.set(this.#next, { action, delayMs });
    return this.#next++;
  }

  clearTimeout(timer: unknown): void {
    this.pending.delete(Number(timer));
  }

  fire(): void {
    for (const [timer, { action }] of [...this.pending]) {
      this.pending.delete(timer);
      action();
    }
  }
}

Deno.test("many pokes are one call after the silence", () => {
  const timers = new FakeTimers();
  let calls = 0;
  const debounced = debounce(() => calls++, 100, timers);
  debounced.poke();
  debounced.poke();
  debounced.poke();
  assert.deepEqual([...timers.pending.values()].map(({ delayMs }) => delayMs), [100]);
  timers.fire();
  assert.equal(calls, 1);
  debounced.poke();
  timers.fire();
  assert.equal(calls, 2);
});

Deno.test("a stopped one does not call", () => {
  const timers = new FakeTimers();
  const debounced = debounce(() => assert.fail("called"), 100, timers);
  debounced.poke();
  debounced.stop();
  assert.equal(timers.pending.size, 0);
});
