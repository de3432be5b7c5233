import assert from "node:assert/strict";
import { Gate } from "./gate.ts";

Deno.test("a gate lets in so many at once, the rest in their order", async () => {
  const gate = new Gate(2);
  const leaveFirst = await gate.enter();
  const leaveSecond = await gate.enter();
  const entered: string[] = [];
  const third = gate.enter().then((leave) => (entered.push("third"), leave));
  const fourth = gate.enter().then((leave) => (entered.push("fourth"), leave));
  await Promise.resolve();
  assert.deepEqual(entered, []);
  leaveFirst();
  const leaveThird = await third;
  assert.deepEqual(entered, ["third"]);
  leaveSecond();
  (await fourth)();
  leaveThird();
  (await gate.enter())();
});

Deno.test("who gives up waiting takes no place", async () => {
  const gate = new Gate(1);
  const leave = await gate.enter();
  const abort = new AbortController();
  const impatient = gate.enter(abort.signal);
  const patient = gate.enter();
  abort.abort(new Error("Enough"));
  await assert.rejects(impatient, /Enough/);
  leave();
  (await patient)();
  await assert.rejects(gate.enter(abort.signal), /Enough/);
});
