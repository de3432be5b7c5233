/**
 * Which variable a name means, decided before anything runs. Jinja2 gives each scope (loop, macro, with, ...) its own
 * variables and looks up what a scope does not write either in the scope around it or in the context, once, when the
 * scope is entered. A scope's nodes go in; out come the variables that it has, how each gets its first value, and
 * which of them it writes.
 */
import type { For, If, Target } from "../tree.ts";
import { type AnyNode, childrenOf } from "./walk.ts";

/** A variable: the depth of the scope that has it, and its name. */
export type Variable = `${number}:${string}`;

/** How a variable gets its value when its scope is entered. */
export type Load =
  | { readonly from: "parameter" }
  | { readonly from: "context"; readonly name: string }
  | { readonly from: "variable"; readonly variable: Variable }
  | { readonly from: "nothing" };

/** Names of one scope. */
export class Symbols {
  readonly parent: Symbols | undefined;
  readonly level: number;
  readonly #variables = new Map<string, Variable>();
  readonly #loads = new Map<Variable, Load>();
  readonly #writes = new Set<string>();

  constructor(parent: Symbols | undefined) {
    this.parent = parent;
    this.level = parent === undefined ? 0 : parent.level + 1;
  }

  /** The same scope, to be changed on its own: a branch that may or may not run. */
  copy(): Symbols {
    const copy = new Symbols(this.parent);
    copy.#take(this);
    return copy;
  }

  /** Variables of this very scope with the way each is loaded. */
  get loads(): ReadonlyMap<Variable, Load> {
    return this.#loads;
  }

  /** The variable that a name means here; undefined where the analysis has not met it. */
  find(name: string): Variable | undefined {
    return this.#variables.get(name) ?? this.parent?.find(name);
  }

  /** Notes that the name is read. */
  read(name: string): void {
    if (this.find(name) === undefined) this.#define(name, { from: "context", name });
  }

  /** Notes that the name is written: a write stays in this scope, but begins with the value from outside. */
  write(name: string): void {
    this.#writes.add(name);
    if (this.#variables.has(name)) return;
    const outer = this.parent?.find(name);
    this.#define(name, outer === undefined ? { from: "nothing" } : { from: "variable", variable: outer });
  }

  /** Notes that the scope itself gives the name its value: a parameter, or the target of a loop. */
  parameter(name: string): Variable {
    this.#writes.add(name);
    return this.#define(name, { from: "parameter" });
  }

  /** Every name that is written here or around here, with its variable. */
  written(): ReadonlyMap<string, Variable> {
    const all = new Map<string, Variable>();
    for (const symbols of this.#outwards()) {
      for (const name of symbols.#writes) {
        const variable = this.find(name);
        if (variable !== undefined && !all.has(name)) all.set(name, variable);
      }
    }
    return all;
  }

  /** Takes over what the branches of an `if` found; what only a branch writes begins with the value from outside. */
  join(branches: readonly Symbols[]): void {
    const fresh = new Set(
      branches.flatMap((branch) => [...branch.#writes]).filter((name) => !this.#writes.has(name)),
    );
    for (const branch of branches) this.#take(branch);
    for (const name of fresh) {
      const variable = this.find(name);
      if (variable === undefined) continue;
      const outer = this.parent?.find(name);
      this.#loads.set(
        variable,
        outer === undefined ? { from: "context", name } : { from: "variable", variable: outer },
      );
    }
  }

  #take(other: Symbols): void {
    for (const [name, variable] of other.#variables) this.#variables.set(name, variable);
    for (const [variable, load] of other.#loads) this.#loads.set(variable, load);
    for (const name of other.#writes) this.#writes.add(name);
  }

  *#outwards(): Iterable<Symbols> {
    yield this;
    if (this.parent !== undefined) yield* this.parent.#outwards();
  }

  #define(name: string, load: Load): Variable {
    const variable: Variable = `${this.level}:${name}`;
    this.#variables.set(name, variable);
    this.#loads.set(variable, load);
    return variable;
  }
}

/** Notes every name that `nodes` mention, as far as they belong to the scope of `symbols` itself. */
export function analyse(symbols: Symbols, nodes: readonly AnyNode[]): void {
  for (const node of nodes) visit(symbols, node);
}

/** Notes the names of one part of a loop; the targets get their values from the loop. */
export function analyseLoop(symbols: Symbols, loop: For, part: "body" | "test" | "otherwise"): void {
  if (part === "otherwise") {
    analyse(symbols, loop.otherwise);
    return;
  }
  declareTargets(symbols, loop.target);
  analyse(symbols, part === "body" ? loop.body : loop.test === undefined ? [] : [loop.test]);
}

/** Declares each name of a target as a parameter. */
export function declareTargets(symbols: Symbols, target: Target): void {
  if (target.kind === "target_name") symbols.parameter(target.name);
  else if (target.kind === "target_tuple") { for (const item of target.items) declareTargets(symbols, item); }
  else symbols.read(target.name);
}

function visit(symbols: Symbols, node: AnyNode): void {
  switch (node.kind) {
    case "name":
    case "target_namespace":
      return symbols.read(node.name);
    case "target_name":
      return symbols.write(node.name);
    case "parameter":
      symbols.parameter(node.name);
      return;
    case "if":
      return visitIf(symbols, node);
    case "macro":
      return symbols.write(node.name);
    case "import":
      visit(symbols, node.template);
      return symbols.write(node.name);
    case "from_import":
      visit(symbols, node.template);
      for (const { alias } of node.names) symbols.write(alias);
      return;
    case "set":
      visit(symbols, node.value);
      return visit(symbols, node.target);
    case "for":
      return visit(symbols, node.items);
    case "call_block":
      return visit(symbols, node.call);
    case "filter_block":
      return visit(symbols, node.filter);
    case "with":
      return analyse(symbols, node.bindings.map(({ value }) => value));
    case "set_block":
      return visit(symbols, node.target);
    case "autoescape":
    case "block":
      return;
    default:
      return analyse(symbols, childrenOf(node));
  }
}

function visitIf(symbols: Symbols, node: If): void {
  const [first, ...others] = node.branches;
  if (first === undefined) return;
  visit(symbols, first.test);
  const body = symbols.copy();
  analyse(body, first.body);
  const elifs = symbols.copy();
  for (const { test, body } of others) {
    visitIf(elifs, { ...node, branches: [{ test, body, place: node.place }], otherwise: [] });
  }
  const otherwise = symbols.copy();
  analyse(otherwise, node.otherwise);
  symbols.join([body, elifs, otherwise]);
}
