/**
 * Calls, filters and tests: their arguments are evaluated in order, `*` and `**` are spread, and the callee gets the
 * positional ones as a list and the named ones as a map. An unknown filter or test is an error when the template is
 * compiled, or, directly inside an `if` or a condition, when it is reached, as in Jinja2.
 */
import { didYouMean, type Place, syntaxError } from "../errors.ts";
import type { Scope } from "../scope/scope.ts";
import type { Arguments, Call, Expr, Filter as FilterNode, Test } from "../tree.ts";
import {
  callValue,
  type Filter,
  isCallable,
  iterate,
  type Kwargs,
  PyDict,
  PyError,
  type PyValue,
  repr,
  typeName,
  Undefined,
} from "../values/mod.ts";
import type { Compilation } from "./compilation.ts";
import { compileExpression } from "./expression.ts";
import type { Evaluate, Frame } from "./frame.ts";

const NO_NAMES: Kwargs = new Map();

/** Arguments that are still to be evaluated. */
export interface CompiledArguments {
  positional(frame: Frame): PyValue[];
  named(frame: Frame): Kwargs;
}

/** Compiles arguments; `input` comes before all others. */
export function compileArguments(
  c: Compilation,
  scope: Scope,
  args: Arguments,
  { place, input }: { readonly place: Place; readonly input?: Evaluate },
): CompiledArguments {
  refuseRepeated(args);
  const compile = (expr: Expr): Evaluate => compileExpression(c, scope, expr);
  const positional = [...(input === undefined ? [] : [input]), ...args.positional.map(compile)];
  const named = args.named.map(({ name, value }) => [name, compile(value)] as const);
  const spread = args.spread === undefined ? undefined : compile(args.spread);
  const spreadNamed = args.spreadNamed === undefined ? undefined : compile(args.spreadNamed);
  return {
    positional: (frame) => {
      const values: PyValue[] = [];
      for (const value of positional) values.push(value(frame));
      if (spread === undefined) return values;
      const rest = spread(frame);
      frame.run.at = place;
      return [...values, ...iterate(rest)];
    },
    named: named.length === 0 && spreadNamed === undefined ? () => NO_NAMES : (frame) => {
      const values = new Map<string, PyValue>();
      for (const [name, value] of named) values.set(name, value(frame));
      if (spreadNamed === undefined) return values;
      const rest = spreadNamed(frame);
      frame.run.at = place;
      addSpread(values, rest);
      return values;
    },
  };
}

function refuseRepeated(args: Arguments): void {
  const seen = new Set<string>();
  for (const { name, value } of args.named) {
    if (seen.has(name)) throw syntaxError(value.place, `keyword argument repeated: ${name}`);
    seen.add(name);
  }
}

function addSpread(values: Map<string, PyValue>, spread: PyValue): void {
  if (spread instanceof Undefined) throw spread.error();
  if (!(spread instanceof PyDict)) {
    throw new PyError("type", `argument after ** must be a mapping, not ${typeName(spread)}`);
  }
  for (const [key, value] of spread.entries()) {
    if (typeof key !== "string") throw new PyError("type", "keywords must be strings");
    if (values.has(key)) throw new PyError("type", `got multiple values for keyword argument ${repr(key)}`);
    values.set(key, value);
  }
}

/** Compiles a call; `extra` gives one more named argument, the `caller` of a call block. */
export function compileCall(
  c: Compilation,
  scope: Scope,
  call: Call,
  extra?: (frame: Frame) => PyValue,
): Evaluate {
  const callee = compileExpression(c, scope, call.callee);
  const reach = call.callee.kind === "name"
    ? hiddenGlobal(call.callee.name)
    : (_: Frame, value: PyValue) => value;
  const { place } = call;
  const args = compileArguments(c, scope, call.args, { place });
  return (f) => {
    const target = reach(f, callee(f));
    const positional = args.positional(f);
    const given = args.named(f);
    const named = extra === undefined ? given : new Map([...given, ["caller", extra(f)]]);
    f.run.at = place;
    return f.run.made(callValue(target, positional, named, f.context));
  };
}

/** What a name calls: its value, or the global behind a value of the context that cannot be called. */
function hiddenGlobal(name: string): (frame: Frame, value: PyValue) => PyValue {
  return (frame, value) => {
    const { options } = frame.run;
    if (!options.callsHiddenGlobals || isCallable(value) || frame.context.given.get(name) !== value) {
      return value;
    }
    return options.globals.get(name) ?? value;
  };
}

/** Compiles a filter; `captured` gives its input where it filters what a body printed. */
export function compileFilter(
  c: Compilation,
  scope: Scope,
  filter: FilterNode,
  captured?: Evaluate,
): Evaluate {
  const { name, place } = filter;
  const found = c.options.filters.get(name);
  const input = filter.input === undefined
    ? captured ?? (() => "")
    : filter.input.kind === "filter"
    ? compileFilter(c, scope, filter.input, captured)
    : compileExpression(c, scope, filter.input);
  const args = compileArguments(c, scope, filter.args, { place, input });
  if (found === undefined) return unknown(c, scope, "filter", name, place);
  return apply(found, args, place);
}

/** Compiles a test. */
export function compileTest(c: Compilation, scope: Scope, test: Test): Evaluate {
  const { name, place } = test;
  const found = c.options.tests.get(name);
  const input = compileExpression(c, scope, test.input);
  const args = compileArguments(c, scope, test.args, { place, input });
  if (found === undefined) return unknown(c, scope, "test", name, place);
  return apply(found, args, place);
}

function apply(filter: Filter, args: CompiledArguments, place: Place): Evaluate {
  return (f) => {
    const values = args.positional(f);
    const named = args.named(f);
    f.run.at = place;
    return f.run.made(filter.call(values, named, f.context));
  };
}

function unknown(
  c: Compilation,
  scope: Scope,
  kind: "filter" | "test",
  name: string,
  place: Place,
): Evaluate {
  const known = kind === "filter" ? c.options.filters.keys() : c.options.tests.keys();
  const hint = didYouMean(name, known);
  if (!scope.conditional) throw syntaxError(place, `No ${kind} named '${name}'.`, hint);
  return (f) => {
    f.run.at = place;
    throw new PyError("runtime", `No ${kind} named '${name}' found.`, hint);
  };
}
