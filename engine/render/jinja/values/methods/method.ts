/** A method of a type: a function whose first argument is the object that it was taken from. */
import { bindArguments, type Body, type Parameter } from "../arguments.ts";
import { type PyError, typeError } from "../error.ts";
import type { FilterEnv, Kwargs, PyValue } from "../value.ts";

/** An entry in a type's table of methods. */
export interface Method {
  readonly name: string;
  call(self: PyValue, args: readonly PyValue[], kwargs: Kwargs, env: FilterEnv): PyValue;
}

/** The table of a type's methods. */
export type MethodTable = ReadonlyMap<string, Method>;

/** Makes a table. */
export function methodTable(methods: readonly Method[]): MethodTable {
  return new Map(methods.map((method) => [method.name, method]));
}

/** A method whose arguments may be given by name, too. */
export function named(name: string, parameters: readonly Parameter[], body: Body): Method {
  const signature = { name, parameters };
  return {
    name,
    call: (self, args, kwargs, env) => body(env, self, ...bindArguments(signature, args, kwargs)),
  };
}

/** A method that takes its arguments by position only, as most do. @param qualified type and name: `list.append` */
export function positional(qualified: string, parameters: readonly Parameter[], body: Body): Method {
  const name = qualified.slice(qualified.indexOf(".") + 1);
  const most = parameters.length;
  const least = parameters.filter((parameter) => typeof parameter === "string").length;
  const defaults = parameters.map((parameter) => typeof parameter === "string" ? null : parameter[1]);
  return {
    name,
    call: (self, args, kwargs, env) => {
      if (kwargs.size > 0) throw typeError(`${qualified}() takes no keyword arguments`);
      if (args.length < least || args.length > most) {
        throw wrongCount(qualified, { least, most }, args.length);
      }
      return body(env, self, ...args, ...defaults.slice(args.length));
    },
  };
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
