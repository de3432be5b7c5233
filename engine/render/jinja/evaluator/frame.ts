/**
 * What a running template holds. A `Run` is one render of a bundle: limits, the last place that was passed (errors are
 * told there), modules imported so far. A `Context` is one template's view of the variables, shared by the templates of
 * one inheritance chain; it is also what filters, tests and calls get to know of the world. A `Frame` is one call of a
 * function of a template, with its slots.
 */
import type { Place, TemplateError } from "../errors.ts";
import type { Sink } from "../output.ts";
import { depthLimit, interruption, memoryLimit, type RenderLimits, sizeOf } from "../limits.ts";
import type { Layout, SlotFrame } from "../scope/layout.ts";
import type { FilterEnv, PyValue, Undefined, UndefinedInfo, UndefinedKind } from "../values/mod.ts";
import { HintingUndefined, keysOf } from "./hint.ts";
import type { TemplateModule } from "./module.ts";

/** A compiled expression. */
export type Evaluate = (frame: Frame) => PyValue;

/** A compiled statement. */
export type Execute = (frame: Frame, out: Sink) => void;

/** A compiled block of a template; each template of an inheritance chain may have one of a name. */
export interface CompiledBlock {
  readonly name: string;
  render(context: Context, out: Sink): void;
}

/** A compiled template. */
export interface CompiledTemplate {
  readonly name: string;
  /** Where an error is told that comes before the first place is passed. */
  readonly start: Place;
  readonly blocks: ReadonlyMap<string, CompiledBlock>;
  render(context: Context, out: Sink): void;
}

/** What a run needs from its bundle. */
export interface RunOptions {
  readonly templates: ReadonlyMap<string, CompiledTemplate>;
  /** Templates that could not be compiled. */
  readonly broken: ReadonlyMap<string, TemplateError>;
  readonly globals: ReadonlyMap<string, PyValue>;
  readonly filters: FilterEnv["filters"];
  readonly tests: FilterEnv["tests"];
  readonly undefinedKind: UndefinedKind;
  /** A call reaches a global that the context hides by something that cannot be called. */
  readonly callsHiddenGlobals: boolean;
  readonly limits: RenderLimits;
}

/** One call of a function of a template. */
export class Frame implements SlotFrame {
  readonly slots: (PyValue | undefined)[];
  readonly context: Context;
  readonly run: Run;
  readonly outer: Frame | undefined;
  /** The template that this one extends, once an `extends` was passed; on the frame of a template's root only. */
  parentTemplate: CompiledTemplate | undefined = undefined;

  constructor(context: Context, outer: Frame | undefined, layout: Layout) {
    this.slots = new Array<PyValue | undefined>(layout.size);
    this.context = context;
    this.run = context.run;
    this.outer = outer;
  }

  /** The frame of the template's root, or of the block, that this one is inside of. */
  get root(): Frame {
    return this.outer === undefined ? this : this.outer.root;
  }
}

/** Steps between two questions whether to stop. A step may be a filter over a long list, so few; a question costs some 50 ns. */
const STEPS_BETWEEN_QUESTIONS = 16;
/** The same in characters and items that were made meanwhile: sorting a long list is much work in one step. */
const MADE_BETWEEN_QUESTIONS = 20_000;

/** One render. */
export class Run {
  readonly options: RunOptions;
  /** Templates that were imported without context. */
  readonly modules = new Map<CompiledTemplate, TemplateModule>();
  /** The last place that was passed. */
  at: Place;
  #depth = 0;
  #made = 0;
  #stepsLeft = STEPS_BETWEEN_QUESTIONS;
  #madeAtQuestion = 0;

  constructor(options: RunOptions, start: Place) {
    this.options = options;
    this.at = start;
  }

  /** The bounds of this render. */
  get limits(): RenderLimits {
    return this.options.limits;
  }

  /** Goes one level deeper: macro, include, block, recursive loop. Throws `LimitError` beyond the limit. */
  enter(): void {
    const { maxDepth } = this.options.limits;
    if (++this.#depth > maxDepth) throw depthLimit(maxDepth);
    this.tick();
  }

  /** Comes back from a level. */
  leave(): void {
    this.#depth--;
  }

  /** Passed at each round of a loop and at each value that is made. Throws `LimitError` when it is time to stop. */
  tick(): void {
    if (--this.#stepsLeft > 0 && this.#made - this.#madeAtQuestion < MADE_BETWEEN_QUESTIONS) return;
    this.#stepsLeft = STEPS_BETWEEN_QUESTIONS;
    this.#madeAtQuestion = this.#made;
    if (this.options.limits.interrupted?.() === true) throw interruption();
  }

  /** Counts a value that was made, and gives it back. Throws `LimitError` beyond the limit. */
  made<T extends PyValue>(value: T): T {
    this.#made += sizeOf(value);
    this.tick();
    const { maxMade } = this.options.limits;
    if (this.#made > maxMade) throw memoryLimit(maxMade);
    return value;
  }
}

/** The variables that one template and those it extends see. */
export class Context implements FilterEnv {
  readonly run: Run;
  readonly templateName: string;
  /** What was given from outside, the globals among it. */
  readonly given: ReadonlyMap<string, PyValue>;
  /** What the template wrote at its top level. */
  readonly own = new Map<string, PyValue>();
  /** Names among `own` that importers may take. */
  readonly exported = new Set<string>();
  /** The blocks of each name, from the template that was rendered to the one it descends from. */
  readonly blocks = new Map<string, CompiledBlock[]>();
  /** Whether printed values are escaped now; shared by all views of one template. */
  readonly escaping: { on: boolean };

  constructor(run: Run, template: CompiledTemplate | Context, given: ReadonlyMap<string, PyValue>) {
    this.run = run;
    this.given = given;
    if (template instanceof Context) {
      this.templateName = template.templateName;
      this.escaping = template.escaping;
      for (const [name, chain] of template.blocks) this.blocks.set(name, [...chain]);
    } else {
      this.templateName = template.name;
      this.escaping = { on: false };
      this.addBlocks(template);
    }
  }

  get autoescape(): boolean {
    return this.escaping.on;
  }

  get filters(): FilterEnv["filters"] {
    return this.run.options.filters;
  }

  get tests(): FilterEnv["tests"] {
    return this.run.options.tests;
  }

  undefined(info: UndefinedInfo): Undefined {
    return new HintingUndefined(this.run.options.undefinedKind, info, () => keysOf(info.object));
  }

  /** The value of a name that has none; `known` are the names that the template itself gives in sight. */
  undefinedName(name: string, known: readonly string[]): Undefined {
    const names = (): string[] => [...known, ...this.own.keys(), ...this.given.keys()];
    return new HintingUndefined(this.run.options.undefinedKind, { name }, names);
  }

  /** The value of a name, or undefined. */
  readonly lookUp = (name: string): PyValue | undefined => {
    const own = this.own.get(name);
    return own === undefined ? this.given.get(name) : own;
  };

  /** Every name with its value, `extra` above the rest. */
  all(extra: ReadonlyMap<string, PyValue>): ReadonlyMap<string, PyValue> {
    if (this.own.size === 0 && extra.size === 0) return this.given;
    const names = new Map(this.given);
    for (const [name, value] of this.own) names.set(name, value);
    for (const [name, value] of extra) names.set(name, value);
    return names;
  }

  /** The same template's view with more names: what a scoped block sees. */
  derived(extra: ReadonlyMap<string, PyValue>): Context {
    return new Context(this.run, this, this.all(extra));
  }

  /** What importers may take. */
  exports(): ReadonlyMap<string, PyValue> {
    const names = new Map<string, PyValue>();
    for (const name of this.exported) {
      const value = this.own.get(name);
      if (value !== undefined) names.set(name, value);
    }
    return names;
  }

  /** Puts a template's blocks behind those that are there. */
  addBlocks(template: CompiledTemplate): void {
    for (const [name, block] of template.blocks) {
      const known = this.blocks.get(name);
      if (known === undefined) this.blocks.set(name, [block]);
      else known.push(block);
    }
  }
}
