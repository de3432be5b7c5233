/**
 * How arguments reach filters, tests, methods and global functions. Each names its parameters once, as Python does;
 * what was passed is sorted into them by position and by name, and what does not fit raises Python's words.
 */
import { type PyError, typeError } from "./error.ts";
import type { CallBody, Filter, FilterEnv, Kwargs, PyValue } from "./value.ts";

/** A parameter that must be given, or one with its default. */
export type Parameter = string | readonly [name: string, fallback: PyValue];

/** The names of a function's parameters, in order. */
export interface Signature {
  /** As error messages name the function. */
  readonly name: string;
  readonly parameters: readonly Parameter[];
}

/** What runs once its arguments are in order: one for each parameter. */
export type Body = (env: FilterEnv, ...args: PyValue[]) => PyValue;

/** A function as filters, tests and methods are registered. */
export function define(name: string, parameters: readonly Parameter[], body: Body): Filter {
  return { name, call: callBody({ name, parameters }, body) };
}

/** As {@link define}, for what is built into Python and takes its arguments by position only. */
export function defineBuiltin(name: string, parameters: readonly Parameter[], body: Body): Filter {
  const signature = { name, parameters };
  return { name, call: (args, kwargs, env) => body(env, ...bindPositional(signature, args, kwargs)) };
}

/** A function that sorts its arguments and runs `body` with them. */
export function callBody(signature: Signature, body: Body): CallBody {
  return (args, kwargs, env) => body(env, ...bindArguments(signature, args, kwargs));
}

/** One value for each parameter. Throws `PyError` for arguments that are missing, too many, unknown or given twice. */
export function bindArguments(
  signature: Signature,
  args: readonly PyValue[],
  kwargs: Kwargs,
): readonly PyValue[] {
  const { parameters } = signature;
  if (args.length === parameters.length && kwargs.size === 0) return args;
  if (args.length > parameters.length) throw tooMany(signature, args.length);
  const bound: (PyValue | undefined)[] = [...args];
  for (const [name, value] of kwargs) {
    const index = parameters.findIndex((parameter) => nameOf(parameter) === name);
    if (index < 0) throw typeError(`${signature.name}() got an unexpected keyword argument '${name}'`);
    if (bound[index] !== undefined) {
      throw typeError(`${signature.name}() got multiple values for argument '${name}'`);
    }
    bound[index] = value;
  }
  return withDefaults(signature, bound);
}

function withDefaults(signature: Signature, bound: readonly (PyValue | undefined)[]): PyValue[] {
  const missing: string[] = [];
  const complete = signature.parameters.map((parameter, i) => {
    const value = bound[i];
    if (value !== undefined) return value;
    if (typeof parameter !== "string") return parameter[1];
    missing.push(parameter);
    return null;
  });
  if (missing.length > 0) throw notGiven(signature, missing);
  return complete;
}

function nameOf(parameter: Parameter): string {
  return typeof parameter === "string" ? parameter : parameter[0];
}

function tooMany({ name, parameters }: Signature, given: number): Error {
  const required = parameters.filter((parameter) => typeof parameter === "string").length;
  const most = parameters.length;
  const takes = required === most ? `${most}` : `from ${required} to ${most}`;
  const were = given === 1 ? "was" : "were";
  return typeError(
    `${name}() takes ${takes} positional argument${takes === "1" ? "" : "s"} but ${given} ${were} given`,
  );
}

function notGiven({ name }: Signature, missing: readonly string[]): Error {
  const names = missing.map((parameter) => `'${parameter}'`);
  const last = names.pop();
  const list = names.length === 0 ? last : `${names.join(", ")}${names.length > 1 ? "," : ""} and ${last}`;
  const plural = names.length === 0 ? "" : "s";
  return typeError(`${name}() missing ${missing.length} required positional argument${plural}: ${list}`);
}

/** One value for each parameter, from positions only. Throws `PyError` for too many, too few, and names. */
export function bindPositional(
  { name, parameters }: Signature,
  args: readonly PyValue[],
  kwargs: Kwargs,
): readonly PyValue[] {
  if (kwargs.size > 0) throw typeError(`${name}() takes no keyword arguments`);
  const most = parameters.length;
  if (args.length === most) return args;
  const least = parameters.filter((parameter) => typeof parameter === "string").length;
  if (args.length < least || args.length > most) throw wrongCount(name, { least, most }, args.length);
  return parameters.map((parameter, i) => args[i] ?? (typeof parameter === "string" ? null : parameter[1]));
}

/** Python's words for a built-in function that got too few or too many arguments. */
export function wrongCount(
  qualified: string,
  { least, most }: { readonly least: number; readonly most: number },
  given: number,
): PyError {
  if (most === 0) return typeError(`${qualified}() takes no arguments (${given} given)`);
  if (least === 1 && most === 1) {
    return typeError(`${qualified}() takes exactly one argument (${given} given)`);
  }
  const name = qualified.slice(qualified.indexOf(".") + 1);
  const bound = least === most ? "" : given < least ? "at least " : "at most ";
  const count = given < least ? least : most;
  return typeError(`${name} expected ${bound}${count} argument${count === 1 ? "" : "s"}, got ${given}`);
}
