/** The operators of expressions by the names that the tree has for them. */
import type { BinaryOperator, CompareOperator } from "../tree.ts";
import {
  add,
  contains,
  div,
  eq,
  floordiv,
  ge,
  gt,
  le,
  lt,
  mod,
  mul,
  neg,
  pos,
  pow,
  type PyValue,
  sub,
  truthy,
} from "../values/mod.ts";

/** Operators that make a value of two. */
export const BINARY: Readonly<Record<BinaryOperator, (left: PyValue, right: PyValue) => PyValue>> = {
  add,
  sub,
  mul,
  div,
  floordiv,
  mod,
  pow,
};

/** Operators that compare. */
export const COMPARE: Readonly<Record<CompareOperator, (left: PyValue, right: PyValue) => boolean>> = {
  eq,
  ne: (left, right) => !eq(left, right),
  lt,
  lteq: le,
  gt,
  gteq: ge,
  in: (item, container) => contains(container, item),
  notin: (item, container) => !contains(container, item),
};

/** Operators of one value. */
export const UNARY: Readonly<Record<"not" | "neg" | "pos", (operand: PyValue) => PyValue>> = {
  not: (operand) => !truthy(operand),
  neg,
  pos,
};
