/**
 * A watch's bytes become events: cut at line ends without copying a long line more than once, one JSON document per line.
 *
 * An `ERROR` event, which comes inside an answer of status 200, is thrown as what its `Status` says (410: GoneError).
 */
import { isJsonObject, isKubeObject, type JsonObject, parseJson } from "../meta/mod.ts";
import type { WatchEvent } from "./client.ts";
import { ApiError } from "./errors.ts";
import { memberSpans } from "./json_spans.ts";
import { type Attempt, statusError } from "./status_error.ts";

/** How to read a watch. */
export interface WatchReading {
  readonly attempt: Attempt;
  /** What the objects are; `PartialObjectMetadata` says something else of itself. */
  readonly type: { readonly apiVersion: string; readonly kind: string };
  /** Keep the JSON text of each object; else it is empty. */
  readonly withText: boolean;
}

const LINE_FEED = 0x0a;
const INITIAL_EVENTS_END = "k8s.io/initial-events-end";

/** The events of a watch, as they come. */
export async function* readWatch(
  chunks: AsyncIterable<Uint8Array>,
  reading: WatchReading,
): AsyncGenerator<WatchEvent, void> {
  for await (const line of splitLines(chunks)) yield readEvent(line, reading);
}

/** Lines of a stream of UTF-8, without their ends; empty ones and a last one that was cut off are left out. */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      parts.push(decoder.decode(chunk.subarray(start, end)));
      const line = parts.join("");
      parts = [];
      start = end + 1;
      if (line !== "") yield line;
    }
    if (start < chunk.length) parts.push(decoder.decode(chunk.subarray(start), { stream: true }));
  }
}

function readEvent(line: string, reading: WatchReading): WatchEvent {
  const event = parseJson(line);
  if (!isJsonObject(event) || !isJsonObject(event.object)) throw unreadable(reading);
  const { type, object } = event;
  switch (type) {
    case "ADDED":
    case "MODIFIED":
    case "DELETED": {
      const typed: unknown = { ...object, ...reading.type };
      if (!isKubeObject(typed)) throw unreadable(reading);
      return { type, object: typed, text: reading.withText ? objectText(line) : "" };
    }
    case "BOOKMARK":
      return readBookmark(object, reading);
    case "ERROR":
      throw statusError(reading.attempt, { code: 500, body: object });
    default:
      throw unreadable(reading);
  }
}

/** A bookmark's object has metadata only, and no name. */
function readBookmark(object: JsonObject, reading: WatchReading): WatchEvent {
  const metadata = isJsonObject(object.metadata) ? object.metadata : {};
  const { resourceVersion, annotations } = metadata;
  if (typeof resourceVersion !== "string") throw unreadable(reading);
  const initialEventsEnd = isJsonObject(annotations) && annotations[INITIAL_EVENTS_END] === "true";
  return { type: "BOOKMARK", resourceVersion, initialEventsEnd };
}

function objectText(line: string): string {
  const span = memberSpans(line).get("object");
  return span === undefined ? "" : line.slice(...span);
}

function unreadable({ attempt }: WatchReading): ApiError {
  return new ApiError(
    `${attempt.verb} of ${attempt.subject} failed: the stream holds what is no watch event`,
    {
      code: 200,
    },
  );
}
