/** A method of a type: a function whose first argument is the object that it was taken from. */
import { bindArguments, bindPositional, type Body, type Parameter } from "../arguments.ts";
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
  const signature = { name: qualified, parameters };
  return {
    name: qualified.slice(qualified.indexOf(".") + 1),
    call: (self, args, kwargs, env) => body(env, self, ...bindPositional(signature, args, kwargs)),
  };
}
