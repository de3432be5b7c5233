/** Tests of what a value is. */
import { define, defineBuiltin } from "../values/arguments.ts";
import { intOf, numberOf, textOf } from "../values/coerce.ts";
import { PyError } from "../values/error.ts";
import { hashKey } from "../values/hash.ts";
import { isLower, isUpper } from "../values/letter_case.ts";
import {
  DictView,
  type FilterEnv,
  isCallable,
  iterate,
  knownLength,
  Markup,
  PyDict,
  PyFloat,
  PyObject,
  type PyValue,
  str,
  type Test,
  Undefined,
} from "../values/mod.ts";

/** Tests of types. */
export const typeTests: readonly Test[] = [
  simple("defined", (value) => !(value instanceof Undefined)),
  simple("undefined", (value) => value instanceof Undefined),
  simple("none", (value) => value === null),
  simple("boolean", (value) => typeof value === "boolean"),
  simple("true", (value) => value === true),
  simple("false", (value) => value === false),
  simple("integer", (value) => typeof value !== "boolean" && intOf(value) !== undefined),
  simple("float", (value) => value instanceof PyFloat),
  simple("number", (value) => numberOf(value) !== undefined),
  simple("string", (value) => textOf(value) !== undefined),
  simple("lower", (value) => isLower(str(value))),
  simple("upper", (value) => isUpper(str(value))),
  simple("mapping", (value) => value instanceof PyDict),
  simple("sequence", isSequence),
  simple("iterable", isIterable),
  defineBuiltin("callable", ["obj"], (_env, value) => isCallable(value) || value instanceof Undefined),
  simple("escaped", (value) => value instanceof Markup || isChainable(value)),
  define("filter", ["value"], (env, value) => isNameIn(env, "filters", value)),
  define("test", ["value"], (env, value) => isNameIn(env, "tests", value)),
];

function simple(name: string, body: (value: PyValue) => boolean): Test {
  return define(name, ["value"], (_env, value) => body(value));
}

/** What has a length and items; also a dict, but not a view of one. */
function isSequence(value: PyValue): boolean {
  if (value instanceof Undefined) return value.kind !== "strict";
  if (value instanceof DictView) return false;
  if (value instanceof PyObject && value.item === undefined) return false;
  return knownLength(value) !== undefined;
}

function isIterable(value: PyValue): boolean {
  try {
    iterate(value);
    return true;
  } catch (error) {
    if (!(error instanceof PyError) || error.kind !== "type") throw error;
    return false;
  }
}

function isChainable(value: PyValue): boolean {
  return value instanceof Undefined && value.kind === "chainable";
}

function isNameIn(env: FilterEnv, registry: "filters" | "tests", value: PyValue): boolean {
  hashKey(value);
  const name = textOf(value);
  return name !== undefined && env[registry].has(name);
}
