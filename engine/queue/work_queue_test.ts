import assert from "node:assert/strict";
import { FakeClock, settled } from "./fake_clock.ts";
import { seededRandom } from "./seeded_random.ts";
import { WorkQueue } from "./work_queue.ts";

Deno.test("keys come out in the order in which they came, each once however often it was added", async () => {
  const queue = new WorkQueue({ clock: new FakeClock() });
  for (const key of ["a", "b", "a", "c", "b"]) queue.add(key);
  assert.equal(queue.length, 3);
  assert.deepEqual([await queue.get(), await queue.get(), await queue.get()], ["a", "b", "c"]);
  assert.equal(queue.length, 0);
});

Deno.test("a key that is added while it is worked on comes again after done, not before", async () => {
  const queue = new WorkQueue({ clock: new FakeClock() });
  queue.add("a");
  assert.equal(await queue.get(), "a");
  queue.add("a");
  queue.add("a");
  queue.add("b");
  assert.equal(await queue.get(), "b");
  assert.equal(queue.length, 0);
  queue.done("a");
  assert.equal(queue.length, 1);
  assert.equal(await queue.get(), "a");
  queue.done("a");
  assert.equal(queue.length, 0);
});

Deno.test("done without a new add leaves nothing", async () => {
  const queue = new WorkQueue({ clock: new FakeClock() });
  queue.add("a");
  await queue.get();
  queue.done("a");
  assert.equal(queue.length, 0);
  queue.add("a");
  assert.equal(await queue.get(), "a");
});

Deno.test("workers that wait are served in turn, and a key handed to one is not there for the next", async () => {
  const queue = new WorkQueue({ clock: new FakeClock() });
  const got: string[] = [];
  const first = queue.get().then((key) => got.push(`first ${key}`));
  const second = queue.get().then((key) => got.push(`second ${key}`));
  queue.add("a");
  queue.add("a");
  await settled();
  assert.deepEqual(got, ["first a"]);
  queue.done("a");
  await Promise.all([first, second]);
  assert.deepEqual(got, ["first a", "second a"]);
});

Deno.test("addAfter waits, and of several wishes for a key the earliest stands", async () => {
  const clock = new FakeClock();
  const queue = new WorkQueue({ clock });
  queue.addAfter("a", 1000);
  queue.addAfter("a", 300);
  queue.addAfter("a", 500);
  queue.addAfter("now", 0);
  assert.equal(queue.length, 1);
  await clock.advance(299);
  assert.equal(queue.length, 1);
  await clock.advance(1);
  assert.equal(queue.length, 2);
  assert.deepEqual([await queue.get(), await queue.get()], ["now", "a"]);
  queue.done("a");
  await clock.advance(5000);
  assert.equal(queue.length, 0);
  assert.equal(clock.timers, 0);
});

Deno.test("addRateLimited grows with each failure until forget, and keeps a given minimum", async () => {
  const clock = new FakeClock();
  const queue = new WorkQueue({ clock });
  const pauseOf = async (minimumMs?: number) => {
    const started = clock.now();
    queue.addRateLimited("a", minimumMs);
    while (queue.length === 0) await clock.advance(10);
    await queue.get();
    queue.done("a");
    return clock.now() - started;
  };
  assert.deepEqual([await pauseOf(), await pauseOf(), await pauseOf()], [50, 100, 200]);
  assert.equal(queue.retries("a"), 3);
  assert.equal(await pauseOf(5000), 5000);
  queue.forget("a");
  assert.equal(queue.retries("a"), 0);
  assert.equal(await pauseOf(), 50);
});

Deno.test("shutdown answers those who wait, hands out nothing more, and leaves no timer", async () => {
  const clock = new FakeClock();
  const queue = new WorkQueue({ clock });
  const waiting = queue.get();
  queue.addAfter("late", 1000);
  queue.shutdown();
  assert.equal(await waiting, undefined);
  assert.equal(clock.timers, 0);
  queue.add("a");
  queue.addAfter("a", 10);
  queue.addRateLimited("a");
  assert.equal(await queue.get(), undefined);
  assert.equal(queue.length, 0);
  assert.equal(clock.timers, 0);
});

Deno.test("shutdown drops what waits; what is under way ends with done", async () => {
  const queue = new WorkQueue({ clock: new FakeClock() });
  queue.add("a");
  queue.add("b");
  assert.equal(await queue.get(), "a");
  queue.add("a");
  queue.shutdown();
  queue.done("a");
  assert.equal(await queue.get(), undefined);
});

Deno.test("random use: no two workers on one key, and every add is followed by a round that began later", async () => {
  for (let seed = 1; seed <= 50; seed++) {
    const random = seededRandom(seed);
    const queue = new WorkQueue({ clock: new FakeClock() });
    const addedAt = new Map<string, number>();
    const begunAt = new Map<string, number>();
    const busy = new Set<string>();
    let step = 0;
    const worker = async () => {
      for (let key = await queue.get(); key !== undefined; key = await queue.get()) {
        assert.ok(!busy.has(key), `two workers on ${key} (seed ${seed})`);
        busy.add(key);
        begunAt.set(key, ++step);
        for (let i = random() * 4; i > 0; i--) await Promise.resolve();
        busy.delete(key);
        queue.done(key);
      }
    };
    const workers = Array.from({ length: 3 }, worker);
    for (let i = 0; i < 200; i++) {
      const key = `k${Math.floor(random() * 5)}`;
      addedAt.set(key, ++step);
      queue.add(key);
      if (random() < 0.5) await Promise.resolve();
    }
    await settled();
    for (const [key, at] of addedAt) {
      assert.ok((begunAt.get(key) ?? 0) > at, `the last add of ${key} was lost (seed ${seed})`);
    }
    queue.shutdown();
    await Promise.all(workers);
  }
});
