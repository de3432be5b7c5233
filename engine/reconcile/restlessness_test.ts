import assert from "node:assert/strict";
import { Restlessness } from "./restlessness.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms);

/** Rounds that write as soon as they may, for `ms` milliseconds; answers how many, and when it was said that it is too often. */
function storm(restless: Restlessness, ms: number, cause = "1/a", from = 0) {
  const rounds: number[] = [];
  const said: number[] = [];
  for (let now = from; now < from + ms; now += 10) {
    if (restless.pauseFor("u", cause, at(now)) > 0) continue;
    rounds.push(now);
    if (restless.spend("u", cause, at(now))) said.push(now);
  }
  return { rounds, said };
}

Deno.test("a burst is free, then one round in two seconds; said once", () => {
  const { rounds, said } = storm(new Restlessness(), 60_000);
  assert.ok(rounds.length >= 128 && rounds.length <= 131, `${rounds.length} rounds in a minute`);
  assert.equal(rounds[99], 990);
  assert.ok((rounds[101] ?? 0) - (rounds[100] ?? 0) >= 1_990);
  assert.deepEqual(said, [990]);
});

Deno.test("said again after a rest", () => {
  const restless = new Restlessness();
  assert.equal(storm(restless, 5_000).said.length, 1);
  assert.equal(storm(restless, 5_000, "1/a", 300_000).said.length, 1);
});

Deno.test("another spec or other templates start anew, and rest gives back", () => {
  const restless = new Restlessness();
  storm(restless, 2_000);
  assert.ok(restless.pauseFor("u", "1/a", at(2_000)) > 0);
  assert.equal(restless.pauseFor("u", "2/a", at(2_000)), 0);
  assert.equal(restless.pauseFor("u", "1/a", at(60_000)), 0);
  assert.equal(restless.pauseFor("v", "1/a", at(1_000)), 0, "others are not slowed");
});
