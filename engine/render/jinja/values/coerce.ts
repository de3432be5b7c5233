/** What several types have in common: bool, int and float are numbers, str and Markup are text, and so on. */
import type { Int } from "./integer.ts";
import { Markup, PyFloat, PyTuple, type PyValue } from "./value.ts";

/** An int or bool as an integer; undefined for anything else. */
export function intOf(value: PyValue): Int | undefined {
  if (typeof value === "number" || typeof value === "bigint") return value;
  return typeof value === "boolean" ? Number(value) : undefined;
}

/** An int, bool or float as a JavaScript number or bigint; undefined for anything else. */
export function numberOf(value: PyValue): number | bigint | undefined {
  return value instanceof PyFloat ? value.value : intOf(value);
}

/** The text of a str; undefined for anything else. */
export function textOf(value: PyValue): string | undefined {
  if (typeof value === "string") return value;
  return value instanceof Markup ? value.text : undefined;
}

/** The items of a list or tuple; undefined for anything else. */
export function itemsOf(value: PyValue): readonly PyValue[] | undefined {
  if (Array.isArray(value)) return value;
  return value instanceof PyTuple ? value.items : undefined;
}
