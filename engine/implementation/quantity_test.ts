import assert from "node:assert/strict";
import { parseBytes } from "./quantity.ts";

Deno.test("sizes", () => {
  assert.deepEqual(["4Mi", "512Ki", "1G", "10", 10].map(parseBytes), [
    4_194_304,
    524_288,
    1_000_000_000,
    10,
    10,
  ]);
  for (const value of ["", "0", "-1", "1.5Mi", "4MB", null, undefined, {}]) {
    assert.equal(parseBytes(value), undefined);
  }
});
