/**
 * Where rendered text goes. Statements write pieces with the place that printed them; the main output also keeps, for
 * each of its lines, the template line that began it, so that an error in line N of the output can be told at the
 * template. Macros, set blocks and filter blocks print into a `Capture`, which is only text. Both refuse to grow past
 * the output limit.
 */
import type { Place } from "./errors.ts";
import { outputLimit } from "./limits.ts";

/** Takes printed pieces. */
export interface Sink {
  /** Takes text of the template itself; its lines are lines of the template. */
  writeData(text: string, place: Place): void;
  /** Takes what an expression printed; all of it belongs to the line of the expression. */
  write(text: string, place: Place): void;
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

  writeData(text: string): void {
    this.write(text);
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

/** Which template line began each line of an output. Plain data, so that it can leave a Worker. */
export interface LineMap {
  /** Names of templates. */
  readonly templates: readonly string[];
  /** For each line of the output, two numbers: the index of the template and the line in it. */
  readonly entries: readonly number[];
}

/**
 * The template line that printed a line of the output; undefined for a line that is not there.
 *
 * @param outputLine counts from 1
 */
export function templatePositionOf(map: LineMap, outputLine: number): TemplateLine | undefined {
  const index = map.entries[2 * (outputLine - 1)];
  const line = map.entries[2 * (outputLine - 1) + 1];
  const template = index === undefined ? undefined : map.templates[index];
  return template === undefined || line === undefined ? undefined : { template, line };
}

/** The output of a render, with its line map. */
export class MainOutput implements Sink {
  readonly #limit: number;
  readonly #templates: string[] = [];
  readonly #entries: number[] = [];
  #text = "";
  #beginsLine = true;
  #template = "";
  #index = -1;

  /** @param limit bytes of UTF-8 that the output may have */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The whole text and its lines. Throws `LimitError` when it is larger than the limit. */
  finish(): { text: string; lines: LineMap } {
    const text = this.#text;
    if (text.length * 3 > this.#limit && byteLength(text) > this.#limit) {
      throw outputLimit(this.#limit);
    }
    return { text, lines: { templates: this.#templates, entries: this.#entries } };
  }

  writeData(text: string, place: Place): void {
    this.#append(text, place, 1);
  }

  write(text: string, place: Place): void {
    this.#append(text, place, 0);
  }

  #append(text: string, place: Place, linesPerLine: 0 | 1): void {
    if (text === "") return;
    this.#text += text;
    if (this.#text.length > this.#limit) throw outputLimit(this.#limit);
    if (this.#beginsLine) this.#beginLine(place, place.line);
    let line = place.line;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) {
      line += linesPerLine;
      if (end + 1 < text.length) this.#beginLine(place, line);
      else this.#beginsLine = true;
    }
  }

  #beginLine(place: Place, line: number): void {
    const { name } = place.source;
    if (this.#index < 0 || name !== this.#template) {
      this.#index = this.#templates.indexOf(name);
      if (this.#index < 0) this.#index = this.#templates.push(name) - 1;
      this.#template = name;
    }
    this.#entries.push(this.#index, line);
    this.#beginsLine = false;
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
