import assert from "node:assert/strict";
import { abortable, chunksOf } from "./abortable.ts";

Deno.test("a body that never ends is left with the signal", async () => {
  const stop = new AbortController();
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array([1])),
    cancel: () => {
      isCancelled = true;
    },
  });
  const seen: number[] = [];
  await assert.rejects(async () => {
    for await (const chunk of chunksOf(body, stop.signal)) {
      seen.push(chunk.length);
      queueMicrotask(() => stop.abort(new Error("enough")));
    }
  }, /enough/);
  assert.deepEqual(seen, [1]);
  assert.ok(isCancelled);
});

Deno.test("what comes before the signal is given, and an aborted signal waits for nothing", async () => {
  const stop = new AbortController();
  assert.equal(await abortable(Promise.resolve(7), stop.signal), 7);
  await assert.rejects(abortable(Promise.reject(new Error("own")), stop.signal), /own/);
  stop.abort(new Error("enough"));
  await assert.rejects(abortable(new Promise(() => {}), stop.signal), /enough/);
});
