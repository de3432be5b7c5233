/**
 * Equality and order. Numbers compare by value whatever their type, strings by code points, lists and tuples item by
 * item; what has no order raises Python's error with both types.
 */
import { compareStrings } from "./code_points.ts";
import { itemsOf, numberOf, textOf } from "./coerce.ts";
import { PyDict } from "./dict.ts";
import { DictView } from "./dict_view.ts";
import { runtimeError, typeError } from "./error.ts";
import { hashKey } from "./hash.ts";
import { typeName } from "./type_name.ts";
import { Undefined } from "./undefined.ts";
import { PyRange, PyTuple, type PyValue } from "./value.ts";

/** An operator of order. */
export type OrderOperator = "<" | "<=" | ">" | ">=";

/** Items that one comparison may look at: a list that holds itself twice, forty times over, has more than any machine can. */
const MAX_STEPS = 1_000_000;

/** What is left of a comparison's steps. */
interface Budget {
  left: number;
}

/** `a == b`. Throws `PyError` for an undefined value that is strict, and when it takes too many steps. */
export function eq(a: PyValue, b: PyValue): boolean {
  return equal(a, b, { left: MAX_STEPS });
}

function equal(a: PyValue, b: PyValue, budget: Budget): boolean {
  if (typeof a === "string" && typeof b === "string") return a === b;
  if (a instanceof Undefined || b instanceof Undefined) return eqUndefined(a, b);
  const text = textOf(a);
  if (text !== undefined) return text === textOf(b);
  const number = numberOf(a);
  if (number !== undefined) return eqNumbers(number, numberOf(b));
  return a === b || eqContainers(a, b, budget);
}

/** Whether an item of a container is taken for equal: by identity first, as Python does it. */
export function sameOrEqual(a: PyValue, b: PyValue): boolean {
  return same(a, b, { left: MAX_STEPS });
}

function same(a: PyValue, b: PyValue, budget: Budget): boolean {
  if (a === b) return true;
  if (--budget.left < 0) throw runtimeError(`The comparison takes more than the limit of ${MAX_STEPS} steps`);
  return equal(a, b, budget);
}

/** Two comparisons instead of `===`, since they take a bigint and a number by value. */
function eqNumbers(a: number | bigint, b: number | bigint | undefined): boolean {
  return b !== undefined && a >= b && a <= b;
}

function eqUndefined(a: PyValue, b: PyValue): boolean {
  for (const value of [a, b]) {
    if (value instanceof Undefined && value.kind === "strict") throw value.error();
  }
  return a instanceof Undefined && b instanceof Undefined && a.kind === b.kind;
}

function eqContainers(a: PyValue, b: PyValue, budget: Budget): boolean {
  if (Array.isArray(a)) return Array.isArray(b) && eqItems(a, b, budget);
  if (a instanceof PyTuple) return b instanceof PyTuple && eqItems(a.items, b.items, budget);
  if (a instanceof PyDict) return b instanceof PyDict && eqDicts(a, b, budget);
  if (a instanceof PyRange) return b instanceof PyRange && hashKey(a) === hashKey(b);
  return a instanceof DictView && b instanceof DictView && eqViews(a, b, budget);
}

function eqItems(a: readonly PyValue[], b: readonly PyValue[], budget: Budget): boolean {
  return a.length === b.length && a.every((item, i) => same(item, b[i] ?? null, budget));
}

function eqDicts(a: PyDict, b: PyDict, budget: Budget): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a.entries()) {
    const other = b.get(key);
    if (other === undefined || !same(value, other, budget)) return false;
  }
  return true;
}

/** Keys and items compare as sets, values only by identity. */
function eqViews(a: DictView, b: DictView, budget: Budget): boolean {
  if (a.part !== b.part || a.part === "values" || a.dict.size !== b.dict.size) return false;
  if (a.part === "items") return eqDicts(a.dict, b.dict, budget);
  return Array.from(a.dict.keys()).every((key) => b.dict.has(key));
}

/** `a < b`. Throws `PyError` where the two have no order. */
export function lt(a: PyValue, b: PyValue): boolean {
  return inOrder("<", a, b);
}

/** `a <= b`. Throws `PyError` where the two have no order. */
export function le(a: PyValue, b: PyValue): boolean {
  return inOrder("<=", a, b);
}

/** `a > b`. Throws `PyError` where the two have no order. */
export function gt(a: PyValue, b: PyValue): boolean {
  return inOrder(">", a, b);
}

/** `a >= b`. Throws `PyError` where the two have no order. */
export function ge(a: PyValue, b: PyValue): boolean {
  return inOrder(">=", a, b);
}

function inOrder(operator: OrderOperator, a: PyValue, b: PyValue): boolean {
  const x = numberOf(a);
  const y = numberOf(b);
  if (x !== undefined && y !== undefined) return holds(operator, x, y);
  const s = textOf(a);
  const t = textOf(b);
  if (s !== undefined && t !== undefined) return holds(operator, compareStrings(s, t), 0);
  if (Array.isArray(a) === Array.isArray(b)) {
    const left = itemsOf(a);
    const right = itemsOf(b);
    if (left !== undefined && right !== undefined) return itemsInOrder(operator, left, right);
  }
  if (a instanceof DictView && b instanceof DictView && a.part !== "values" && b.part !== "values") {
    return viewsInOrder(operator, a, b);
  }
  if (a instanceof Undefined) throw a.error();
  if (b instanceof Undefined) throw b.error();
  throw typeError(
    `'${operator}' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`,
  );
}

/** Keys and items are sets: `<=` asks whether one is part of the other. */
function viewsInOrder(operator: OrderOperator, a: DictView, b: DictView): boolean {
  const [small, large] = operator.startsWith("<") ? [a, b] : [b, a];
  const isProper = small.dict.size < large.dict.size;
  return (operator.endsWith("=") || isProper) && isPartOf(small, large);
}

function isPartOf(small: DictView, large: DictView): boolean {
  if (small.part !== large.part) return small.dict.size === 0;
  return Array.from(small.dict.entries()).every(([key, value]) => {
    const other = large.dict.get(key);
    return other !== undefined && (small.part === "keys" || sameOrEqual(value, other));
  });
}

/** The first items that differ decide, or the lengths. */
function itemsInOrder(operator: OrderOperator, a: readonly PyValue[], b: readonly PyValue[]): boolean {
  for (const [i, item] of a.entries()) {
    const other = b[i];
    if (other === undefined) break;
    if (!sameOrEqual(item, other)) return inOrder(operator, item, other);
  }
  return holds(operator, a.length, b.length);
}

function holds(operator: OrderOperator, x: number | bigint, y: number | bigint): boolean {
  switch (operator) {
    case "<":
      return x < y;
    case "<=":
      return x <= y;
    case ">":
      return x > y;
    case ">=":
      return x >= y;
  }
}
