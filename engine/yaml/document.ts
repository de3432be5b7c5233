/**
 * A text becomes documents: split as Kubernetes splits, parsed by js-yaml, put together by our own rules.
 *
 * Everything that most readers never ask for (lines of values, text with the keys in their order) is worked out when asked.
 */
import { type Event, EVENT_ID } from "js-yaml";
import { type Builder, construct, OffsetError } from "./construct.ts";
import { locate } from "./locate.ts";
import { columnOf, ParseError, parseText } from "./parse.ts";
import type { ScalarValue } from "./scalar.ts";
import { type Chunk, countLines, splitDocuments } from "./split.ts";
import { YamlError, type YamlPath, type YamlValue } from "./value.ts";

/** One document of a text. */
export interface YamlDocument {
  readonly value: YamlValue;
  /** 1-based line of the text on which the document's value begins. */
  readonly line: number;
  /** 1-based line of a key or list item; undefined where the text does not hold it (merged keys, a wrong path). */
  lineOf(path: YamlPath): number | undefined;
  /** The value as JSON text: keys in the order of the text (data cannot keep integer-like ones there), integers exact. */
  jsonText(): string;
}

/**
 * Reads every document of a text as `kubectl apply -f` does. Empty, comment-only and null documents are left out.
 * Throws `YamlError` for the first thing that cannot be read.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { readDocuments } from "./document.ts";
 *
 * const [first] = readDocuments("mode: 0644\nanswer: no\n");
 * assert.deepEqual(first?.value, { mode: 420, answer: false });
 * ```
 */
export function readDocuments(text: string): readonly YamlDocument[] {
  const lines = text.includes("\r") ? text.replaceAll(/\r\n?/g, "\n") : text;
  return splitDocuments(lines).flatMap(readChunk);
}

function readChunk(chunk: Chunk): readonly YamlDocument[] {
  try {
    const { text, events } = parseText(chunk.text);
    return events.length === 0 ? [] : readEvents(text, events, chunk.line);
  } catch (cause) {
    if (!(cause instanceof ParseError)) throw cause;
    throw new YamlError(cause.message, chunk.line + cause.line - 1, cause.column, { cause });
  }
}

function readEvents(text: string, events: readonly Event[], firstLine: number): readonly YamlDocument[] {
  const lineOf = (path: YamlPath) => {
    const offset = locate(text, events, path);
    return offset === undefined ? undefined : firstLine + countLines(text, offset);
  };
  try {
    refuseSecondDocument(text, events);
    const value = construct(text, events, DATA);
    if (value === null) return [];
    const jsonText = () => construct(text, events, JSON_TEXT);
    return [{ value, line: lineOf([]) ?? firstLine, lineOf, jsonText }];
  } catch (cause) {
    if (!(cause instanceof OffsetError)) throw cause;
    const { message, offset } = cause;
    throw new YamlError(message, firstLine + countLines(text, offset), columnOf(text, offset), { cause });
  }
}

/** `kubectl` passes over what follows `...` without a word. Losing objects silently is worse than an error. */
function refuseSecondDocument(text: string, events: readonly Event[]): void {
  const second = events.findIndex((event, at) => at > 0 && event.type === EVENT_ID.DOCUMENT);
  if (second < 0) return;
  throw new OffsetError(
    "After `...` a document is over; begin the next one with a line `---`",
    text.search(/^\.\.\./m),
  );
}

const DATA: Builder<YamlValue> = {
  scalar: (value) => value,
  list: (items) => items,
  mapping(entries) {
    const mapping: Record<string, YamlValue> = {};
    for (const [key, value] of entries) {
      if (key === "__proto__") {
        Object.defineProperty(mapping, key, { value, enumerable: true, configurable: true, writable: true });
      } else mapping[key] = value;
    }
    return mapping;
  },
};

const JSON_TEXT: Builder<string> = {
  scalar: (value: ScalarValue) => typeof value === "bigint" ? value.toString() : JSON.stringify(value),
  list: (items) => `[${items.join(",")}]`,
  mapping: (entries) =>
    `{${Array.from(entries, ([key, value]) => `${JSON.stringify(key)}:${value}`).join(",")}}`,
};
