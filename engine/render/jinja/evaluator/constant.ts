/**
 * Expressions without names and calls are evaluated when the template is compiled, as Jinja2 does. That is not only
 * for speed: a folded list is built anew each time it is reached (`[[]] * 2` are two lists), and a slice of something
 * that cannot be sliced is undefined, where it is an error at run time.
 */
import type { Scope } from "../scope/scope.ts";
import { sizeOf } from "../limits.ts";
import type { Arguments, Expr, Slice } from "../tree.ts";
import {
  type FilterEnv,
  getAttr,
  getItem,
  iterate,
  type Kwargs,
  Markup,
  PyDict,
  PyError,
  PyFloat,
  PyIterator,
  PyRange,
  PyTuple,
  type PyValue,
  slice,
  str,
  truthy,
  Undefined,
} from "../values/mod.ts";
import type { Compilation } from "./compilation.ts";
import { BINARY, COMPARE, UNARY } from "./operator.ts";

/** What is larger than this is made when it is needed. */
const MAX_SIZE = 10_000;

/** Characters and items of all constants of a template; from there on nothing is made before it is needed. */
const MAX_TOTAL = 1_000_000;

/** Thrown where an expression is not known before the template runs: often, so it is made once and collects no stack. */
const NOT_CONSTANT = new Error("Not known before the template runs");

/** The value of an expression, where it is known before the template runs; undefined elsewhere. */
export function constantOf(c: Compilation, scope: Scope, expr: Expr): PyValue | undefined {
  if (scope.autoescape === "dynamic" || c.folded > MAX_TOTAL) return undefined;
  const env: FilterEnv = {
    autoescape: scope.autoescape,
    filters: c.options.filters,
    tests: c.options.tests,
    undefined: (info) => new Undefined(c.options.undefinedKind, info),
  };
  try {
    const value = new Folder(c, env).value(expr);
    return value instanceof PyIterator ? undefined : value;
  } catch (error) {
    if (error === NOT_CONSTANT || error instanceof PyError) return undefined;
    throw error;
  }
}

/** Gives a folded value, each time as if it had just been made; undefined for one that cannot be written down. */
export function copier(value: PyValue): (() => PyValue) | undefined {
  if (Array.isArray(value)) {
    const items = copiers(value);
    return items === undefined ? undefined : () => items.map((item) => item());
  }
  if (value instanceof PyTuple) {
    const items = copiers(value.items);
    return items === undefined ? undefined : () => new PyTuple(items.map((item) => item()));
  }
  if (value instanceof PyDict) {
    const keys = [...value.keys()];
    const items = copiers([...value.values()]);
    if (items === undefined) return undefined;
    return () => dictOf(items.map((item, i) => [keys[i] ?? null, item()]));
  }
  const written = value === null || typeof value !== "object" || value instanceof PyFloat ||
    value instanceof Markup || value instanceof PyRange;
  return written ? () => value : undefined;
}

function copiers(values: readonly PyValue[]): (() => PyValue)[] | undefined {
  const all = values.map(copier).filter((copy) => copy !== undefined);
  return all.length === values.length ? all : undefined;
}

function dictOf(pairs: readonly (readonly [PyValue, PyValue])[]): PyDict {
  const dict = new PyDict();
  for (const [key, value] of pairs) dict.set(key, value);
  return dict;
}

class Folder {
  readonly #compilation: Compilation;
  readonly #env: FilterEnv;

  constructor(compilation: Compilation, env: FilterEnv) {
    this.#compilation = compilation;
    this.#env = env;
  }

  value(expr: Expr): PyValue {
    const value = this.#fold(expr);
    const size = sizeOf(value);
    this.#compilation.folded += size;
    if (size > MAX_SIZE || this.#compilation.folded > MAX_TOTAL) throw NOT_CONSTANT;
    return value;
  }

  #fold(expr: Expr): PyValue {
    switch (expr.kind) {
      case "const":
        return expr.value;
      case "name":
      case "call":
        throw NOT_CONSTANT;
      case "list":
        return expr.items.map((item) => this.value(item));
      case "tuple":
        return new PyTuple(expr.items.map((item) => this.value(item)));
      case "dict":
        return dictOf(expr.pairs.map(({ key, value }) => [this.value(key), this.value(value)]));
      case "binary":
        return BINARY[expr.operator](this.value(expr.left), this.value(expr.right));
      case "and": {
        const left = this.value(expr.left);
        return truthy(left) ? this.value(expr.right) : left;
      }
      case "or": {
        const left = this.value(expr.left);
        return truthy(left) ? left : this.value(expr.right);
      }
      case "not":
      case "neg":
      case "pos":
        return UNARY[expr.kind](this.value(expr.operand));
      case "concat":
        return expr.items.map((item) => str(this.value(item))).join("");
      case "compare": {
        let left = this.value(expr.first);
        for (const { operator, operand } of expr.rest) {
          const right = this.value(operand);
          if (!COMPARE[operator](left, right)) return false;
          left = right;
        }
        return true;
      }
      case "condition":
        if (truthy(this.value(expr.test))) return this.value(expr.then);
        if (expr.otherwise === undefined) throw NOT_CONSTANT;
        return this.value(expr.otherwise);
      case "getattr":
        return getAttr(this.value(expr.object), expr.name, this.#env);
      case "getitem": {
        const object = this.value(expr.object);
        if (expr.key.kind === "slice") return this.#slice(object, expr.key);
        return getItem(object, this.value(expr.key), this.#env);
      }
      case "filter": {
        const filter = this.#env.filters.get(expr.name);
        if (filter === undefined || expr.input === undefined) throw NOT_CONSTANT;
        const args = [this.value(expr.input), ...this.#positional(expr.args)];
        return filter.call(args, this.#named(expr.args), this.#env);
      }
      case "test": {
        const test = this.#env.tests.get(expr.name);
        if (test === undefined) throw NOT_CONSTANT;
        const args = [this.value(expr.input), ...this.#positional(expr.args)];
        return test.call(args, this.#named(expr.args), this.#env);
      }
    }
  }

  #slice(object: PyValue, { start, stop, step }: Slice): PyValue {
    const bound = (part: Expr | undefined): PyValue => part === undefined ? null : this.value(part);
    const bounds = [bound(start), bound(stop), bound(step)] as const;
    try {
      return slice(object, ...bounds);
    } catch (error) {
      if (error instanceof PyError && error.kind === "type") return this.#env.undefined({ object });
      throw error;
    }
  }

  #positional({ positional, spread }: Arguments): PyValue[] {
    const values = positional.map((arg) => this.value(arg));
    return spread === undefined ? values : [...values, ...iterate(this.value(spread))];
  }

  #named({ named, spreadNamed }: Arguments): Kwargs {
    if (spreadNamed !== undefined) throw NOT_CONSTANT;
    return new Map(named.map(({ name, value }) => [name, this.value(value)]));
  }
}
