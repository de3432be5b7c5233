/** Ports: in a row, free, and out of the range of outgoing connections. */
import assert from "node:assert/strict";
import { freePorts } from "./ports.ts";

Deno.test("all ports of a row can be listened on", () => {
  const first = freePorts(4);
  assert(first >= 16_384 && first + 3 < 32_768);
  const listeners = [0, 1, 2, 3].map((index) => Deno.listen({ hostname: "127.0.0.1", port: first + index }));
  for (const listener of listeners) listener.close();
});
