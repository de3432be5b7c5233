/**
 * What compiled nunjucks templates talk to while they run: it knows where they are, hears what they print, call and filter, and stops
 * them at their limits.
 *
 * One environment serves a bundle, one render at a time: `begin` forgets the render before.
 */
import { printBigInteger } from "../meta/json.ts";
import type { LanguageOptions } from "./language.ts";
import { OUTPUT_HINT, timeHint } from "./limit_hint.ts";
import { HOST_NAMES, type Loader, NUNJUCKS } from "./nunjucks_library.ts";
import type { RenderErrorKind } from "./render_error.ts";

/** How often the clock is asked: every so many loops, calls and filters. */
const CLOCK_EVERY = 256;
/** Items of a list, and characters of a text, that one call or filter may make. */
const MOST_ITEMS = 1_000_000;
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** Filters that look up attributes by themselves. */
const BY_ATTRIBUTE = new Set(["groupby", "rejectattr", "selectattr", "sort", "sum"]);

const DELIMITERS = {
  ...{ blockStart: "[%", blockEnd: "%]", variableStart: "[{", variableEnd: "}]" },
  ...{ commentStart: "[#", commentEnd: "#]" },
};

/** An error of which the kind is known where it is thrown. */
export class TemplateFault extends Error {
  readonly kind: RenderErrorKind;
  readonly hint: string | undefined;

  constructor(kind: RenderErrorKind, message: string, hint?: string) {
    super(message);
    this.kind = kind;
    this.hint = hint;
  }
}

/** The first error of a render, and where it was. */
export interface Failure {
  readonly error: unknown;
  /** `line:column:template`, 1-based. */
  readonly place: string;
}

/** See the comment of the file. `place`, `marks` and the methods after `begin` are for compiled code. */
export class TemplateEnvironment extends NUNJUCKS.Environment {
  /** Where the render is: `line:column:template`, 1-based. */
  place = "";
  /** Of the finished template, by three: offset in the output, the place that printed from there on, whether it is text of the template. */
  marks: readonly unknown[] = [];
  #failure: Failure | undefined;
  #ticks = 0;
  readonly #options: LanguageOptions;

  constructor(loader: Loader, options: LanguageOptions) {
    super(loader, {
      dev: true,
      autoescape: false,
      throwOnUndefined: options.undefined === "strict",
      trimBlocks: options.trimBlocks,
      lstripBlocks: options.lstripBlocks,
      tags: DELIMITERS,
    });
    this.#options = options;
    this.globals = { ...this.globals, range, fail };
    this.addFilter("random", () => {
      throw new TemplateFault("runtime", "Templates are deterministic: the filter `random` is not there");
    });
    this.addFilter("dump", (value, indent) => dump(value, indent));
  }

  /** The first error since `begin`. */
  get failure(): Failure | undefined {
    return this.#failure;
  }

  /** Before each render; `template` is where it starts. */
  begin(template: string): void {
    this.place = `1:1:${template}`;
    this.marks = [];
    this.#failure = undefined;
    this.#ticks = 0;
  }

  /** Keeps the first error: the library wraps it at each level. */
  failed(error: unknown): unknown {
    this.#failure ??= { error, place: this.place };
    return error;
  }

  /** Once for each turn of a loop, call and filter. `output` is what is printed so far. */
  tick(output = ""): void {
    if (output.length > this.#options.outputBytes) throw this.outputFault();
    if (++this.#ticks % CLOCK_EVERY !== 0 || !this.#options.interrupted()) return;
    throw new TemplateFault(
      "limit",
      "The render took longer than its time limit",
      timeHint(this.#options.renderMs),
    );
  }

  /** The error of a template that prints too much. */
  outputFault(): TemplateFault {
    const message = `The output is larger than the limit of ${this.#options.outputBytes} bytes`;
    return new TemplateFault("limit", message, OUTPUT_HINT);
  }

  /** A value on its way into the output. */
  printed(value: unknown): unknown {
    if (typeof value === "function") {
      throw new TemplateFault("type", "A function cannot be printed; call it with ()");
    }
    if (value !== undefined && value !== null) return value;
    if (!this.opts.throwOnUndefined) return "";
    throw new TemplateFault(
      "undefined",
      "An undefined value or null cannot be printed (`undefined: strict`)",
    );
  }

  called(called: unknown, name: string, context: unknown, args: readonly unknown[], place: string): unknown {
    this.place = place;
    this.tick();
    if (called === undefined || called === null) {
      throw new TemplateFault("undefined", `Unable to call \`${name}\`, which is undefined`);
    }
    const result = bounded(NUNJUCKS.runtime.callWrap(called, name, context, args));
    this.place = place;
    return result;
  }

  filtered(name: string, context: unknown, args: readonly unknown[], place: string): unknown {
    this.place = place;
    this.tick();
    if (BY_ATTRIBUTE.has(name)) args.forEach(refuseHostName);
    return bounded(this.getFilter(name).apply(context, [...args]));
  }
}

function refuseHostName(argument: unknown): void {
  const name = typeof argument === "string"
    ? argument.split(".").find((part) => HOST_NAMES.has(part))
    : undefined;
  if (name !== undefined) throw new TemplateFault("runtime", `An attribute \`${name}\` is not there`);
}

/** Refuses what grows by doubling before it takes all memory. */
function bounded(value: unknown): unknown {
  const most = typeof value === "string" ? MOST_CHARACTERS : Array.isArray(value) ? MOST_ITEMS : Infinity;
  const length = typeof value === "string" || Array.isArray(value) ? value.length : 0;
  if (length <= most) return value;
  throw new TemplateFault(
    "limit",
    `A value of ${length} characters or items is more than the limit of ${most}`,
  );
}

function fail(message: unknown): never {
  throw new TemplateFault("runtime", message === undefined ? "fail() needs a message" : String(message));
}

/** The library's own, with a limit. */
function range(start: unknown, stop: unknown, step: unknown): readonly number[] {
  const [from, to] = stop === undefined ? [0, Number(start)] : [Number(start), Number(stop)];
  const by = Number(step) || 1;
  const count = Math.max(0, Math.ceil((to - from) / by)) || 0;
  if (count <= MOST_ITEMS) return Array.from({ length: count }, (_, index) => from + index * by);
  throw new TemplateFault("limit", `A range of ${count} items is more than the limit of ${MOST_ITEMS}`);
}

/** The library's own, for big integers too. */
function dump(value: unknown, indent: unknown): string | undefined {
  return JSON.stringify(value, printBigInteger, typeof indent === "number" ? indent : String(indent ?? ""));
}
