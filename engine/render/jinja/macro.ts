/**
 * Macros as values. A call sorts its arguments into the macro's parameters by Jinja2's rules (positional, then named,
 * then `caller`, `kwargs`, `varargs` where the body mentions them) and gives the text that the body prints, as markup
 * where the caller escapes.
 */
import {
  type FilterEnv,
  type Kwargs,
  Markup,
  PyDict,
  PyError,
  PyObject,
  PyTuple,
  type PyValue,
  repr,
} from "./values/mod.ts";

/** What is known of a macro when it is compiled. */
export interface MacroSignature {
  /** Undefined for a call block. */
  readonly name: string | undefined;
  readonly parameters: readonly string[];
  /** The body mentions `caller`. */
  readonly takesCaller: boolean;
  /** The body mentions `kwargs`. */
  readonly takesNamed: boolean;
  /** The body mentions `varargs`. */
  readonly takesPositional: boolean;
}

/** The arguments of one call, sorted; `undefined` is a parameter that was not given. */
export interface MacroArguments {
  readonly parameters: readonly (PyValue | undefined)[];
  readonly caller: PyValue | undefined;
  readonly named: PyDict | undefined;
  readonly positional: PyTuple | undefined;
}

/** A macro, or the body of a call block. */
export class Macro extends PyObject {
  override readonly typeName = "Macro";
  readonly #signature: MacroSignature;
  readonly #render: (args: MacroArguments) => string;

  constructor(signature: MacroSignature, render: (args: MacroArguments) => string) {
    super();
    this.#signature = signature;
    this.#render = render;
  }

  override call(args: readonly PyValue[], kwargs: Kwargs, env: FilterEnv): PyValue {
    const text = this.#render(this.#sort(args, kwargs.size === 0 ? new Map() : new Map(kwargs), env));
    return env.autoescape ? new Markup(text) : text;
  }

  override attribute(name: string): PyValue | undefined {
    const signature = this.#signature;
    switch (name) {
      case "name":
        return signature.name ?? null;
      case "arguments":
        return new PyTuple([...signature.parameters]);
      case "catch_kwargs":
        return signature.takesNamed;
      case "catch_varargs":
        return signature.takesPositional;
      case "caller":
        return signature.takesCaller;
      case "explicit_caller":
        return signature.parameters.includes("caller");
      default:
        return undefined;
    }
  }

  override toRepr(): string {
    const { name } = this.#signature;
    return `<Macro ${name === undefined ? "anonymous" : repr(name)}>`;
  }

  #sort(args: readonly PyValue[], named: Map<string, PyValue>, env: FilterEnv): MacroArguments {
    const { parameters, takesCaller, takesNamed, takesPositional } = this.#signature;
    const sorted: (PyValue | undefined)[] = args.slice(0, parameters.length);
    let callerFound = sorted.length === parameters.length && parameters.includes("caller");
    for (const parameter of parameters.slice(sorted.length)) {
      sorted.push(take(named, parameter));
      callerFound ||= parameter === "caller";
    }
    const caller = takesCaller && !callerFound
      ? take(named, "caller") ?? env.undefined({ hint: "No caller defined", name: "caller" })
      : undefined;
    if (!takesNamed) this.#refuseNamed(named);
    if (!takesPositional && args.length > parameters.length) {
      throw new PyError(
        "type",
        `macro ${this.#label()} takes not more than ${parameters.length} argument(s)`,
      );
    }
    return {
      parameters: sorted,
      caller,
      named: takesNamed ? asDict(named) : undefined,
      positional: takesPositional ? new PyTuple(args.slice(parameters.length)) : undefined,
    };
  }

  #refuseNamed(named: ReadonlyMap<string, PyValue>): void {
    if (named.has("caller")) {
      throw new PyError(
        "type",
        `macro ${this.#label()} was invoked with two values for the special caller argument. This is most likely a bug.`,
      );
    }
    for (const name of named.keys()) {
      throw new PyError("type", `macro ${this.#label()} takes no keyword argument ${repr(name)}`);
    }
  }

  #label(): string {
    return repr(this.#signature.name ?? null);
  }
}

function take(named: Map<string, PyValue>, name: string): PyValue | undefined {
  const value = named.get(name);
  named.delete(name);
  return value;
}

function asDict(named: ReadonlyMap<string, PyValue>): PyDict {
  const dict = new PyDict();
  for (const [name, value] of named) dict.set(name, value);
  return dict;
}
