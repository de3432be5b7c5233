/**
 * Where rendered text goes. Statements write pieces with the place that printed them; the main output also keeps
 * where each piece came from, so that an error in line N of the output can be told at the template. Macros, set blocks and filter blocks print into a `Capture`, which is only text. Both refuse to grow past
 * the output limit.
 */
import type { Place } from "./errors.ts";
import { outputLimit } from "./limits.ts";

/** What prints pieces of the output. */
export interface Origin {
  readonly place: Place;
  /** The pieces are text of the template itself, so that their lines are lines of the template. */
  readonly isData: boolean;
}

/** Takes printed pieces. */
export interface Sink {
  write(text: string, origin: Origin): void;
}

/** Text that a macro, a set block or a filter block prints. */
export class Capture implements Sink {
  readonly #limit: number;
  #text = "";

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** What has been printed. */
  get text(): string {
    return this.#text;
  }

  write(text: string): void {
    this.#text += text;
    if (this.#text.length > this.#limit) throw outputLimit(this.#limit);
  }
}

/** A line of a template. */
export interface TemplateLine {
  readonly template: string;
  /** Counts from 1. */
  readonly line: number;
}

/** A rendered text with the pieces that it was printed in. */
export interface LineMap {
  readonly text: string;
  /** Where each piece begins in the text, ascending. */
  readonly starts: readonly number[];
  /** What printed each piece. */
  readonly origins: readonly Origin[];
}

/**
 * The template line that printed the beginning of a line of the output; undefined for a line that is not there.
 *
 * @param outputLine counts from 1
 */
export function templatePositionOf(map: LineMap, outputLine: number): TemplateLine | undefined {
  const offset = offsetOfLine(map.text, outputLine);
  if (offset === undefined) return undefined;
  const piece = map.starts.findLastIndex((start) => start <= offset);
  const origin = map.origins[piece];
  if (origin === undefined) return undefined;
  const { place, isData } = origin;
  const before = isData ? map.text.slice(map.starts[piece], offset) : "";
  return { template: place.source.name, line: place.line + before.split("\n").length - 1 };
}

function offsetOfLine(text: string, line: number): number | undefined {
  let offset = 0;
  for (let i = 1; i < line; i++) {
    const end = text.indexOf("\n", offset);
    if (end < 0) return undefined;
    offset = end + 1;
  }
  return offset;
}

/** The output of a render, with what its lines come from. */
export class MainOutput implements Sink {
  readonly #limit: number;
  readonly #starts: number[] = [];
  readonly #origins: Origin[] = [];
  #text = "";

  /** @param limit bytes of UTF-8 that the output may have */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The whole text and its lines. Throws `LimitError` when it is larger than the limit. */
  finish(): { text: string; lines: LineMap } {
    const text = this.#text;
    if (text.length * 3 > this.#limit && byteLength(text) > this.#limit) throw outputLimit(this.#limit);
    return { text, lines: { text, starts: this.#starts, origins: this.#origins } };
  }

  write(text: string, origin: Origin): void {
    if (text === "") return;
    this.#starts.push(this.#text.length);
    this.#origins.push(origin);
    this.#text += text;
    if (this.#text.length > this.#limit) throw outputLimit(this.#limit);
  }
}

function byteLength(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // A surrogate is half of a character of four bytes.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
  }
  return bytes;
}
