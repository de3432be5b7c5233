import assert from "node:assert/strict";
import { parseDuration } from "./duration.ts";

Deno.test("durations", () => {
  const texts = ["10h", "1h30m", "500ms", "1.5s", "0s", "1m1s1ms"];
  assert.deepEqual(texts.map(parseDuration), [36_000_000, 5_400_000, 500, 1500, 0, 61_001]);
  for (const text of ["", "10", "-10h", "1d", "h", "1 h", "1h ", "1.h", `${"9".repeat(30)}h`]) {
    assert.equal(parseDuration(text), undefined, text);
  }
});
