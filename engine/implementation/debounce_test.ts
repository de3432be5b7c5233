import assert from "node:assert/strict";
import { FakeClock } from "../queue/fake_clock.ts";
import { debounce } from "./debounce.ts";

Deno.test("many pokes are one call after the silence", async () => {
  const clock = new FakeClock();
  let calls = 0;
  const debounced = debounce(() => calls++, 100, clock);
  debounced.poke();
  await clock.advance(60);
  debounced.poke();
  await clock.advance(60);
  debounced.poke();
  assert.equal(clock.timers, 1);
  await clock.advance(99);
  assert.equal(calls, 0);
  await clock.advance(1);
  assert.equal(calls, 1);
  debounced.poke();
  await clock.advance(100);
  assert.equal(calls, 2);
});

Deno.test("a stopped one does not call, and leaves no timer", async () => {
  const clock = new FakeClock();
  const debounced = debounce(() => assert.fail("called"), 100, clock);
  debounced.poke();
  debounced.stop();
  assert.equal(clock.timers, 0);
  await clock.advance(1000);
});
