/** The cache: digests tell versions apart, and only one at a time fills it. */
import assert from "node:assert/strict";
import { versionsDigest, withLock } from "./cache.ts";

Deno.test("a digest depends on each part and on where parts end", () => {
  assert.match(versionsDigest("a", "b"), /^[0-9a-f]{16}$/);
  assert.equal(versionsDigest("a", "b"), versionsDigest("a", "b"));
  assert.notEqual(versionsDigest("a", "b"), versionsDigest("a", "c"));
  assert.notEqual(versionsDigest("a", "b"), versionsDigest("ab"));
});

Deno.test("the second to want a lock says so and waits for the first", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/new/.lock`;
    const order: string[] = [];
    const first = Promise.withResolvers<void>();
    const firstHolds = Promise.withResolvers<void>();
    const one = withLock(path, async () => {
      firstHolds.resolve();
      await first.promise;
      order.push("first");
    });
    await firstHolds.promise;
    const waits = Promise.withResolvers<string>();
    const two = withLock(path, () => Promise.resolve(order.push("second")), waits.resolve);
    assert.match(await waits.promise, /^Waiting for another process that holds .*\/new\/\.lock$/);
    first.resolve();
    await Promise.all([one, two]);
    assert.deepEqual(order, ["first", "second"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a lock is free again after its work failed", async () => {
  const path = await Deno.makeTempFile();
  try {
    await assert.rejects(withLock(path, () => Promise.reject(new Error("No"))), /No/);
    assert.equal(await withLock(path, () => Promise.resolve(1), assert.fail), 1);
  } finally {
    await Deno.remove(path);
  }
});
