import assert from "node:assert/strict";
import { systemClock } from "./clock.ts";

Deno.test("a time beyond what setTimeout can hold does not fire at once", async () => {
  let isFired = false;
  const cancel = systemClock.after(2 ** 31 + 5, () => isFired = true);
  await new Promise<void>((resolve) => systemClock.after(5, resolve));
  cancel();
  assert.equal(isFired, false);
});

Deno.test("a timer that was taken back does not fire", async () => {
  let isFired = false;
  systemClock.after(1, () => isFired = true)();
  await new Promise<void>((resolve) => systemClock.after(5, resolve));
  assert.equal(isFired, false);
});
