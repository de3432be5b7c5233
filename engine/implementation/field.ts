/**
 * A value of a configuration file with the place where it stands. Reading it in the wanted form gives the value, or nothing and a
 * problem noted with file, line and key, so that one pass over a file finds all that is wrong in it.
 *
 * By hand rather than with a schema library: the messages have to say what to write instead, with the line, and the
 * start of the program pays nothing for it.
 */
import { isJsonObject, type JsonObject, type JsonValue, nearest, parseDuration } from "../meta/mod.ts";
import type { YamlDocument, YamlPath } from "../yaml/mod.ts";
import type { ConfigProblem } from "./config_error.ts";
import { parseBytes } from "./quantity.ts";

/** The file that fields come from, and the problems found in it so far. */
export interface ConfigFile {
  readonly name: string;
  /** Absent for a file that could not be read; all its fields are absent then. */
  readonly document?: YamlDocument;
  readonly problems: ConfigProblem[];
}

/** What a text has to look like, and how to say so. */
export interface TextForm {
  readonly pattern: RegExp;
  /** Ends the sentence "Write ...". */
  readonly wanted: string;
}

/** See the comment of the file. A key with nothing behind it (null) counts as absent. */
export class Field {
  readonly #file: ConfigFile;
  readonly #path: YamlPath;
  readonly #value: JsonValue | undefined;

  constructor(file: ConfigFile, path: YamlPath = [], value: JsonValue | undefined = file.document?.value) {
    this.#file = file;
    this.#path = path;
    this.#value = value ?? undefined;
  }

  get isAbsent(): boolean {
    return this.#value === undefined;
  }

  /** Something that is wrong here, for problems that show only later. */
  problem(message: string): ConfigProblem {
    return { file: this.#file.name, ...placeOf(this.#file, this.#path), message };
  }

  /** Notes that something is wrong here. */
  refuse(message: string): void {
    this.#file.problems.push(this.problem(message));
  }

  /** The field of a mapping; absent when this is no mapping. */
  get(key: string): Field {
    return new Field(this.#file, [...this.#path, key], this.#mapping()?.[key] ?? null);
  }

  /** Notes keys that nobody reads: they are misspelled, or meant for another place. */
  allowOnly(keys: readonly string[]): void {
    if (this.isAbsent) return;
    const mapping = this.#mapping();
    if (mapping === undefined) return this.refuse(`Has to be a mapping with the keys ${keys.join(", ")}`);
    for (const key of Object.keys(mapping).filter((name) => !keys.includes(name))) {
      const near = nearest(key, keys);
      const advice = near === undefined ? "known" : `did you mean \`${near}\`? Known`;
      new Field(this.#file, [...this.#path, key]).refuse(`Unknown key; ${advice} here: ${keys.join(", ")}`);
    }
  }

  text(form?: TextForm): string | undefined {
    if (this.isAbsent) return undefined;
    const value = this.#value;
    if (typeof value !== "string" || value === "") {
      return this.#none(form === undefined ? "Has to be a text; put it in quotes" : `Write ${form.wanted}`);
    }
    return form === undefined || form.pattern.test(value)
      ? value
      : this.#none(`\`${value}\`: write ${form.wanted}`);
  }

  oneOf<T extends string>(words: readonly T[]): T | undefined {
    if (this.isAbsent) return undefined;
    return words.find((word) => word === this.#value) ?? this.#none(`Write ${words.join(" or ")}`);
  }

  boolean(): boolean | undefined {
    if (this.isAbsent) return undefined;
    return typeof this.#value === "boolean" ? this.#value : this.#none("Write true or false");
  }

  /** An integer of at least `least`. */
  integer(least: number): number | undefined {
    if (this.isAbsent) return undefined;
    const value = this.#value;
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= least) return value;
    return this.#none(`Write an integer of at least ${least}`);
  }

  /** A duration above zero, in milliseconds. */
  duration(): number | undefined {
    if (this.isAbsent) return undefined;
    const milliseconds = typeof this.#value === "string" ? parseDuration(this.#value) : undefined;
    if (milliseconds !== undefined && milliseconds > 0) return milliseconds;
    return this.#none("Write a duration above zero such as `10h`, `1h30m` or `500ms`");
  }

  /** A number of bytes above zero. */
  bytes(): number | undefined {
    if (this.isAbsent) return undefined;
    const bytes = parseBytes(this.#value);
    return bytes ?? this.#none("Write a number of bytes such as `4Mi`, `512Ki` or `1000000`");
  }

  /** The items of a list; none when this is absent or no list. */
  items(): readonly Field[] {
    if (this.isAbsent) return [];
    if (!Array.isArray(this.#value)) {
      this.refuse("Has to be a list, one item a line, each after `- `");
      return [];
    }
    return this.#value.map((item, at) => new Field(this.#file, [...this.#path, at], item));
  }

  /** The texts of a list in their order, each in its form and there once only, with the field of each. */
  texts(form?: TextForm): ReadonlyMap<string, Field> {
    const texts = new Map<string, Field>();
    for (const item of this.items()) {
      if (item.isAbsent) item.refuse("Is empty; write a text or take the line away");
      const text = item.text(form);
      if (text === undefined) continue;
      if (texts.has(text)) item.refuse(`\`${text}\` is in the list twice; take one away`);
      else texts.set(text, item);
    }
    return texts;
  }

  /** True for a mapping, which some fields take in place of a text. */
  get isMapping(): boolean {
    return this.#mapping() !== undefined;
  }

  #mapping(): JsonObject | undefined {
    return isJsonObject(this.#value) ? this.#value : undefined;
  }

  #none(message: string): undefined {
    this.refuse(message);
  }
}

/** Line and key of a place; the line is that of the nearest thing that the file does hold. */
function placeOf(file: ConfigFile, path: YamlPath): Pick<ConfigProblem, "line" | "key"> {
  const key = path.map((step, at) => typeof step === "number" ? `[${step}]` : at === 0 ? step : `.${step}`)
    .join("");
  const line = nearestLine(file, path);
  return { ...(line === undefined ? {} : { line }), ...(key === "" ? {} : { key }) };
}

function nearestLine(file: ConfigFile, path: YamlPath): number | undefined {
  const line = file.document?.lineOf(path);
  return line !== undefined || path.length === 0 ? line : nearestLine(file, path.slice(0, -1));
}
