import assert from "node:assert/strict";
import { FakeClock } from "./fake_clock.ts";
import { BackoffRateLimiter } from "./rate_limiter.ts";

Deno.test("pauses of a key double from 50 ms to 5 minutes, and start anew once it is forgotten", () => {
  const limiter = new BackoffRateLimiter({ clock: new FakeClock() });
  const pauses = Array.from({ length: 15 }, () => limiter.delayFor("a"));
  assert.deepEqual(pauses.slice(0, 4), [50, 100, 200, 400]);
  assert.deepEqual(pauses.slice(-2), [300_000, 300_000]);
  assert.equal(limiter.retries("a"), 15);
  assert.equal(limiter.delayFor("b"), 50);
  limiter.forget("a");
  assert.equal(limiter.retries("a"), 0);
  assert.equal(limiter.delayFor("a"), 50);
});

Deno.test("many keys that fail together are spread out by the bucket, which fills again with time", async () => {
  const clock = new FakeClock();
  const limiter = new BackoffRateLimiter({ clock, perSecond: 10, burst: 3 });
  const pauses = ["a", "b", "c", "d", "e"].map((key) => limiter.delayFor(key));
  assert.deepEqual(pauses, [50, 50, 50, 100, 200]);
  await clock.advance(10_000);
  assert.deepEqual(["f", "g", "h", "i"].map((key) => limiter.delayFor(key)), [50, 50, 50, 100]);
});
