/**
 * A text becomes documents: split as Kubernetes splits, parsed by js-yaml, put together by our own rules.
 *
 * Everything that most readers never ask for (lines of values, text with the keys in their order) is worked out when asked.
 */
import { type Event, EVENT_ID, parseEvents, YAMLException } from "js-yaml";
import { type Builder, construct, OffsetError } from "./construct.ts";
import { locate } from "./locate.ts";
import { type Chunk, columnAt, lineAt, splitDocuments } from "./split.ts";
import { YamlError, type YamlPath, type YamlValue } from "./value.ts";
import type { ScalarValue } from "./scalar.ts";

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

/** Deeper nesting than this is refused. */
const MAX_DEPTH = 1000;

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
  const lines = text.includes("\r") ? text.replaceAll("\r\n", "\n") : text;
  return splitDocuments(lines).flatMap((chunk) => readChunk(lines, chunk));
}

function readChunk(whole: string, chunk: Chunk): readonly YamlDocument[] {
  try {
    const events = parseEvents(chunk.text, { maxDepth: MAX_DEPTH });
    if (events.length === 0) return [];
    refuseSecondDocument(chunk.text, events);
    const value = construct(chunk.text, events, DATA);
    if (value === null) return [];
    const lineAtPath = (path: YamlPath) => {
      const offset = locate(chunk.text, events, path);
      return offset === undefined ? undefined : lineAt(whole, chunk.start + offset);
    };
    return [{
      value,
      line: lineAtPath([]) ?? lineAt(whole, chunk.start),
      lineOf: lineAtPath,
      jsonText: () => construct(chunk.text, events, JSON_TEXT),
    }];
  } catch (cause) {
    throw asYamlError(whole, chunk, cause);
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

function asYamlError(whole: string, chunk: Chunk, cause: unknown): unknown {
  const [message, offset] = cause instanceof OffsetError
    ? [cause.message, cause.offset]
    : cause instanceof YAMLException
    ? [explain(cause.reason), cause.mark?.position ?? 0]
    : [undefined, 0];
  if (message === undefined) return cause;
  const at = chunk.start + offset;
  return new YamlError(message, lineAt(whole, at), columnAt(whole, at), { cause });
}

/** js-yaml's words, with a capital, and advice for what people run into most. */
function explain(reason: string): string {
  const sentence = reason.charAt(0).toUpperCase() + reason.slice(1);
  const advice = ADVICE.find(([words]) => reason.includes(words))?.[1];
  return advice === undefined ? sentence : `${sentence}; ${advice}`;
}

const ADVICE: readonly (readonly [words: string, advice: string])[] = [
  ["tab characters", "indent with blanks"],
  [
    "bad indentation of a mapping entry",
    "align the key with its neighbours, or put a value that holds `: ` in quotes",
  ],
];

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
