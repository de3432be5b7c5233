/**
 * What the compiler knows at a spot of a template: the names in sight, the function whose frame holds them, and a few
 * facts that decide how a statement there behaves (top level, inside an `if`, after an `extends`, autoescape).
 */
import { Layout, slotReader, slotWriter } from "./layout.ts";
import { Symbols } from "./symbols.ts";
import type { SlotFrame } from "./layout.ts";
import type { PyValue } from "../values/mod.ts";

/** Whether printed values are escaped: known when compiling, or only when running. */
export type Autoescape = boolean | "dynamic";

/** A spot of a template, as the compiler sees it. */
export interface Scope {
  readonly symbols: Symbols;
  readonly layout: Layout;
  /** Names written here are the template's own: seen by its blocks, exported to importers. */
  readonly topLevel: boolean;
  /** Top level and not inside an `if`. */
  readonly rootLevel: boolean;
  /** Directly inside an `if` or a condition: an unknown filter or test is an error only when it is reached. */
  readonly conditional: boolean;
  /** Text here is not printed once the template extends another. */
  readonly stopsAtExtends: boolean;
  readonly autoescape: Autoescape;
}

/** The outermost scope of a function that sees no other scope: a template's root or a block. */
export function outermostScope(facts: Pick<Scope, "topLevel" | "stopsAtExtends">): Scope {
  return {
    symbols: new Symbols(undefined),
    layout: new Layout(),
    topLevel: facts.topLevel,
    rootLevel: facts.topLevel,
    conditional: false,
    stopsAtExtends: facts.stopsAtExtends,
    autoescape: false,
  };
}

/** A scope inside another, in the same function or, with `layout`, in one of its own. */
export function innerScope(outer: Scope, layout: Layout = outer.layout): Scope {
  return {
    ...outer,
    symbols: new Symbols(outer.symbols),
    layout,
    topLevel: false,
    rootLevel: false,
    conditional: false,
  };
}

/** The same scope inside an `if` or a condition. */
export function conditionalScope(scope: Scope): Scope {
  return { ...scope, rootLevel: false, conditional: true };
}

/** Gives the variables of a scope their first values. */
export type Enter = (frame: SlotFrame, lookUp: (name: string) => PyValue | undefined) => void;

/** Compiles what has to happen when a scope is entered; undefined where there is nothing to do. */
export function enterScope(scope: Scope): Enter | undefined {
  const steps: Enter[] = [];
  for (const [variable, load] of scope.symbols.loads) {
    const slot = scope.layout.own(variable);
    switch (load.from) {
      case "parameter":
        break;
      case "nothing":
        steps.push((frame) => {
          frame.slots[slot] = undefined;
        });
        break;
      case "context": {
        const { name } = load;
        steps.push((frame, lookUp) => {
          frame.slots[slot] = lookUp(name);
        });
        break;
      }
      case "variable": {
        const read = slotReader(scope.layout.find(load.variable));
        steps.push((frame) => {
          frame.slots[slot] = read(frame);
        });
      }
    }
  }
  const [first, second] = steps;
  if (first === undefined || second === undefined) return first;
  return (frame, lookUp) => {
    for (const step of steps) step(frame, lookUp);
  };
}

/** Compiles what takes the variables of a scope away when it is left; macros made in it may still look at them. */
export function leaveScope(scope: Scope): (frame: SlotFrame) => void {
  const slots = [...scope.symbols.loads.keys()].map((variable) => scope.layout.own(variable));
  return (frame) => {
    for (const slot of slots) frame.slots[slot] = undefined;
  };
}

/** Compiles the snapshot of all names written in sight, as included templates and scoped blocks see them. */
export function writtenNames(scope: Scope): (frame: SlotFrame) => Map<string, PyValue> {
  const readers = [...scope.symbols.written()].map(([name, variable]) =>
    [name, slotReader(scope.layout.find(variable))] as const
  );
  return (frame) => {
    const values = new Map<string, PyValue>();
    for (const [name, read] of readers) {
      const value = read(frame);
      if (value !== undefined) values.set(name, value);
    }
    return values;
  };
}

/** Compiles the reading of a name; `undefined` where it has no value. */
export function nameReader(scope: Scope, name: string): (frame: SlotFrame) => PyValue | undefined {
  const variable = scope.symbols.find(name);
  return slotReader(scope.layout.find(variable ?? scope.symbols.parameter(name)));
}

/** Compiles the writing of a name. */
export function nameWriter(scope: Scope, name: string): (frame: SlotFrame, value: PyValue) => void {
  const variable = scope.symbols.find(name);
  return slotWriter(scope.layout.find(variable ?? scope.symbols.parameter(name)));
}
