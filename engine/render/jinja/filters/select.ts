/**
 * Filters that apply a filter, a test or a look-up to each item. They are lazy as in Jinja2: nothing happens, and
 * nothing fails, before the result is gone over.
 */
import { textOf } from "../values/coerce.ts";
import { runtimeError, typeError } from "../values/error.ts";
import { hashKey } from "../values/hash.ts";
import {
  type Filter,
  type FilterEnv,
  iterate,
  type Kwargs,
  PyIterator,
  type PyValue,
  repr,
  truthy,
  Undefined,
} from "../values/mod.ts";
import { attributeGetter, type Getter } from "./attribute_path.ts";

/** Filters that go from item to item. */
export const selectFilters: readonly Filter[] = [
  lazy("map", (call) => {
    const apply = mapping(call);
    return (item) => [apply(item)];
  }),
  lazy("select", (call) => choosing(call, { byAttribute: false, keep: true })),
  lazy("reject", (call) => choosing(call, { byAttribute: false, keep: false })),
  lazy("selectattr", (call) => choosing(call, { byAttribute: true, keep: true })),
  lazy("rejectattr", (call) => choosing(call, { byAttribute: true, keep: false })),
];

/** What a filter was called with, its input left out. */
interface Call {
  readonly args: readonly PyValue[];
  readonly kwargs: Kwargs;
  readonly env: FilterEnv;
}

/** What comes of an item: one item or none. */
type Step = (item: PyValue) => readonly PyValue[];

function lazy(name: string, prepare: (call: Call) => Step): Filter {
  return {
    name,
    call: (args, kwargs, env) => {
      const [value, ...rest] = args;
      if (value === undefined) throw typeError(`${name}() missing 1 required positional argument: 'value'`);
      return new PyIterator(results(value, () => prepare({ args: rest, kwargs, env })));
    },
  };
}

function* results(value: PyValue, prepare: () => Step): Generator<PyValue> {
  if (!truthy(value)) return;
  const step = prepare();
  for (const item of iterate(value)) yield* step(item);
}

function mapping({ args, kwargs, env }: Call): Getter {
  const attribute = kwargs.get("attribute");
  if (args.length === 0 && attribute !== undefined) {
    for (const name of kwargs.keys()) {
      if (name !== "attribute" && name !== "default") {
        throw runtimeError(`Unexpected keyword argument ${repr(name)}`);
      }
    }
    return attributeGetter(attribute, { env, fallback: kwargs.get("default") ?? null });
  }
  const [name, ...rest] = args;
  if (name === undefined) throw runtimeError("map requires a filter argument");
  return (item) => named("filter", name, env).call([item, ...rest], kwargs, env);
}

function choosing(
  { args, kwargs, env }: Call,
  { byAttribute, keep }: { readonly byAttribute: boolean; readonly keep: boolean },
): Step {
  const [attribute] = args;
  if (byAttribute && attribute === undefined) throw runtimeError("Missing parameter for attribute name");
  const get = byAttribute && attribute !== undefined ? attributeGetter(attribute, { env }) : undefined;
  const [test, ...rest] = byAttribute ? args.slice(1) : args;
  return (item) => {
    const value = get === undefined ? item : get(item);
    const found = test === undefined ? value : named("test", test, env).call([value, ...rest], kwargs, env);
    return truthy(found) === keep ? [item] : [];
  };
}

/** The filter or test of a name. Throws `PyError` where there is none. */
function named(kind: "filter" | "test", name: PyValue, env: FilterEnv): Filter {
  const text = textOf(name);
  if (text === undefined) hashKey(name);
  const found = text === undefined ? undefined : (kind === "filter" ? env.filters : env.tests).get(text);
  if (found !== undefined) return found;
  const message = `No ${kind} named ${repr(name)}.`;
  if (!(name instanceof Undefined)) throw runtimeError(message);
  throw runtimeError(`${message} (${name.error().message}; did you forget to quote the callable name?)`);
}
