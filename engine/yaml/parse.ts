/**
 * The text of one document becomes js-yaml's events, with what `kubectl` takes and YAML 1.2 refuses: inside brackets, braces and
 * quotes, lines may stand as far left as they like. Templates print such text (`args: [` with items and `]` at the margin).
 *
 * js-yaml says where a line stands too far left; blanks put before that line change nothing there but its column. So
 * such a line is padded and the text parsed again: exact, and free for every text that needs none of it.
 */
import { type Event, parseEvents, YAMLException } from "js-yaml";
import { countLines } from "./split.ts";

/** Events, and the text that their offsets count in: lines as they were, columns maybe not. */
export interface ParsedText {
  readonly text: string;
  readonly events: readonly Event[];
}

/** A text that js-yaml refuses: its reason, and the place (1-based) in the text that was given. */
export class ParseError extends Error {
  constructor(message: string, readonly line: number, readonly column: number, options?: ErrorOptions) {
    super(message, options);
  }
}

/** Deeper nesting than this is refused. */
const MAX_DEPTH = 1000;
const PADDING = " ".repeat(MAX_DEPTH);
/** Characters that parsing again may cost. */
const PADDING_BUDGET = 10_000_000;

/** Parses one document. Throws `ParseError`. */
export function parseText(original: string): ParsedText {
  let text = original;
  for (let cost = 0;; cost += text.length) {
    try {
      return { text, events: parseEvents(text, { maxDepth: MAX_DEPTH }) };
    } catch (cause) {
      if (!(cause instanceof YAMLException)) throw cause;
      const offset = cause.mark?.position ?? 0;
      const padded = cause.reason === "deficient indentation" && cost < PADDING_BUDGET
        ? padLine(text, offset)
        : undefined;
      if (padded === undefined) {
        throw new ParseError(explain(cause.reason), 1 + countLines(text, offset), columnOf(text, offset), {
          cause,
        });
      }
      text = padded;
    }
  }
}

/** Undefined when the line is padded already: then blanks are no help. */
function padLine(text: string, offset: number): string | undefined {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return text.startsWith(PADDING, start) ? undefined : text.slice(0, start) + PADDING + text.slice(start);
}

/** The 1-based column of an offset, without padding. */
export function columnOf(text: string, offset: number): number {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return 1 + offset - start - (text.startsWith(PADDING, start) ? PADDING.length : 0);
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
    "document separator is expected",
    "the line does not fit those above it: check its indentation and its `:` or `- `",
  ],
  [
    "bad indentation of a mapping entry",
    "align the key with its neighbours, or put a value that holds `: ` or begins with a quote in quotes as a whole",
  ],
];
