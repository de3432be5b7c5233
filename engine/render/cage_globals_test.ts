import assert from "node:assert/strict";

Deno.test("a stripped Worker has no clock, chance, network or compiler, and prototypes take nothing new", async () => {
  const url = new URL("./testdata/stripped_worker.ts", import.meta.url);
  const worker = new Worker(url, { type: "module", deno: { permissions: "none" } });
  const found = await new Promise<Record<string, unknown>>((resolve, reject) => {
    worker.onmessage = (event) => resolve(event.data);
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message));
    };
  });
  worker.terminate();
  const { names, ...rest } = found;
  assert.ok(Array.isArray(names));
  for (
    const name of [
      "Date",
      "performance",
      "crypto",
      "Deno",
      "fetch",
      "Worker",
      "WebSocket",
      "setTimeout",
      "eval",
    ]
  ) {
    assert.ok(!names.includes(name), name);
  }
  assert.ok(names.length < 70, `Much is left: ${names}`);
  assert.deepEqual(rest, {
    random: "TypeError",
    compile: "TypeError",
    compileAsync: "TypeError",
    pollute: false,
    polluteList: false,
    ownToString: "text",
  });
});
