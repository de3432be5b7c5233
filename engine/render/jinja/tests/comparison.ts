/** Tests that compare two values: the operators by their names and signs, identity, membership. */
import { define, defineBuiltin } from "../values/arguments.ts";
import { contains, eq, ge, gt, le, lt, type PyValue, type Test } from "../values/mod.ts";
import { sameObject } from "./same_object.ts";

/** Tests of two values. */
export const comparisonTests: readonly Test[] = [
  ...operator(["==", "eq", "equalto"], eq),
  ...operator(["!=", "ne"], (a, b) => !eq(a, b)),
  ...operator([">", "gt", "greaterthan"], gt),
  ...operator([">=", "ge"], ge),
  ...operator(["<", "lt", "lessthan"], lt),
  ...operator(["<=", "le"], le),
  define("sameas", ["value", "other"], (_env, value, other) => sameObject(value, other)),
  define("in", ["value", "seq"], (_env, value, sequence) => contains(sequence, value)),
];

function operator(names: readonly string[], compare: (a: PyValue, b: PyValue) => boolean): Test[] {
  return names.map((name) => defineBuiltin(name, ["a", "b"], (_env, a, b) => compare(a, b)));
}
