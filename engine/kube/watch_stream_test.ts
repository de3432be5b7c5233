import assert from "node:assert/strict";
import type { WatchEvent } from "./client.ts";
import { ApiError, GoneError } from "./errors.ts";
import { readWatch, splitLines } from "./watch_stream.ts";

const READING = {
  attempt: { verb: "Watch", subject: "ConfigMap in shop", secret: false },
  type: { apiVersion: "v1", kind: "ConfigMap" },
  withText: true,
};

async function* chunksOf(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(new TextEncoder().encode(text));
}

async function linesOf(chunks: AsyncIterable<Uint8Array>): Promise<readonly string[]> {
  return await Array.fromAsync(splitLines(chunks));
}

async function eventsOf(text: string, reading = READING): Promise<readonly WatchEvent[]> {
  return await Array.fromAsync(readWatch(chunksOf(text), reading));
}

Deno.test("lines are put together from pieces, also in the middle of a character", async () => {
  assert.deepEqual(await linesOf(chunksOf("a", "b\nc\n\nd", "e\n", "cut off")), ["ab", "c", "de"]);
  const bytes = new TextEncoder().encode("é€\u{1F600}\nü\n");
  async function* oneByOne(): AsyncGenerator<Uint8Array> {
    for (const byte of bytes) yield await Promise.resolve(new Uint8Array([byte]));
  }
  assert.deepEqual(await linesOf(oneByOne()), ["é€\u{1F600}", "ü"]);
});

Deno.test("a long line in many pieces takes time that grows with its length, not with its square", async () => {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    const piece = new TextEncoder().encode("x".repeat(64));
    for (let count = 0; count < 64 * 1024; count++) yield piece;
    yield await Promise.resolve(new TextEncoder().encode("\n"));
  }
  const [line] = await linesOf(pieces());
  assert.equal(line?.length, 4 * 1024 * 1024);
});

Deno.test("events come with their object and its text", async () => {
  const object =
    '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{"10":"x","9":"y"},"n":9007199254740993}';
  const [event] = await eventsOf(`{"type":"ADDED","object":${object}}\n`);
  assert.ok(event?.type === "ADDED");
  assert.equal(event.text, object);
  assert.equal(event.object.n, 9007199254740993n);
});

Deno.test("metadata comes under the object's own type, without a text", async () => {
  const partial = '{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a"}}';
  const events = await eventsOf(`{"type":"DELETED","object":${partial}}\n`, { ...READING, withText: false });
  const object = { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "a" } };
  assert.deepEqual(events, [{ type: "DELETED", object, text: "" }]);
});

Deno.test("bookmarks say where the stream is, and where the list ends", async () => {
  const plain = '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"7"}}}';
  const end =
    '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"8","annotations":{"k8s.io/initial-events-end":"true"}}}}';
  assert.deepEqual(await eventsOf(`${plain}\n${end}\n`), [
    { type: "BOOKMARK", resourceVersion: "7", initialEventsEnd: false },
    { type: "BOOKMARK", resourceVersion: "8", initialEventsEnd: true },
  ]);
});

Deno.test("an error inside the stream is thrown as what it says", async () => {
  const gone =
    '{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old"}}\n';
  await assert.rejects(eventsOf(gone), (error) => {
    assert.ok(error instanceof GoneError);
    assert.equal(error.message, "Watch of ConfigMap in shop was refused: too old");
    return true;
  });
  const odd = [
    '{"type":"ODD","object":{}}',
    '{"type":"ADDED","object":{"metadata":{}}}',
    '{"type":"BOOKMARK","object":{}}',
  ];
  for (const line of odd) await assert.rejects(eventsOf(`${line}\n`), ApiError);
});
