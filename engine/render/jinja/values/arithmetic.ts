/**
 * The operators of arithmetic. Integers stay exact, a float makes the result a float, strings and lists are joined and
 * repeated, `%` formats text. What has no meaning raises Python's words.
 */
import { intOf, itemsOf, numberOf, textOf } from "./coerce.ts";
import { DictView } from "./dict_view.ts";
import { runtimeError, typeError } from "./error.ts";
import { floatFloorDiv, floatMod, floatPow } from "./float_arithmetic.ts";
import {
  type Int,
  intAdd,
  intFloorDiv,
  intMod,
  intMul,
  intNeg,
  intPow,
  intSub,
  intToFloat,
  intTrueDiv,
} from "./integer.ts";
import { intArgument } from "./index_argument.ts";
import { checkItems, checkStringLength } from "./limits.ts";
import { escape } from "./markup.ts";
import { percentFormat, plainText } from "./percent_format.ts";
import { iterate } from "./sequence.ts";
import { PySet } from "./set.ts";
import { typeName } from "./type_name.ts";
import { Undefined } from "./undefined.ts";
import { Markup, PyFloat, PyTuple, type PyValue } from "./value.ts";

/** `a + b`. Throws `PyError` for types that do not go together. */
export function add(a: PyValue, b: PyValue): PyValue {
  if (typeof a === "number" && typeof b === "number") return intAdd(a, b);
  if (typeof a === "string" && typeof b === "string") return joinText(a, b);
  return numbers(a, b, intAdd, (x, y) => x + y) ?? join(a, b);
}

/** `a - b`. Throws `PyError` for types that do not go together. */
export function sub(a: PyValue, b: PyValue): PyValue {
  return numbers(a, b, intSub, (x, y) => x - y) ?? difference(a, b) ?? unsupported("-", a, b);
}

/** `a * b`. Throws `PyError` for types that do not go together, or a text or list that would get too long. */
export function mul(a: PyValue, b: PyValue): PyValue {
  return numbers(a, b, intMul, (x, y) => x * y) ?? repeat(a, b);
}

/** `a / b`, always a float. Throws `PyError` for types that do not go together and for a zero. */
export function div(a: PyValue, b: PyValue): PyValue {
  refuseZero(a, b, "division by zero", "float division by zero");
  const x = intOf(a);
  const y = intOf(b);
  if (x !== undefined && y !== undefined) return new PyFloat(intTrueDiv(x, y));
  return numbers(a, b, intSub, (left, right) => left / right) ?? unsupported("/", a, b);
}

/** `a // b`, rounded down. Throws `PyError` for types that do not go together and for a zero. */
export function floordiv(a: PyValue, b: PyValue): PyValue {
  refuseZero(a, b, "integer division or modulo by zero", "float floor division by zero");
  return numbers(a, b, intFloorDiv, floatFloorDiv) ?? unsupported("//", a, b);
}

/** `a % b`: the rest, or text that is formatted. Throws `PyError` for types that do not go together and for a zero. */
export function mod(a: PyValue, b: PyValue): PyValue {
  if (typeof a === "string") return percentFormat(a, b);
  if (a instanceof Markup) return new Markup(percentFormat(a.text, b, escapedText));
  refuseZero(a, b, "integer modulo by zero", "float modulo");
  return numbers(a, b, intMod, floatMod) ?? unsupported("%", a, b);
}

/** `a ** b`. Throws `PyError` for types that do not go together, and for what is too large or no real number. */
export function pow(a: PyValue, b: PyValue): PyValue {
  const base = intOf(a);
  const exponent = intOf(b);
  if (base !== undefined && exponent !== undefined && exponent >= 0) return intPow(base, exponent);
  const x = floatOf(a);
  const y = floatOf(b);
  if (x === undefined || y === undefined) return unsupported("** or pow()", a, b);
  return new PyFloat(floatPow(x, y));
}

/** `-a`. Throws `PyError` for what is no number. */
export function neg(a: PyValue): PyValue {
  if (a instanceof PyFloat) return new PyFloat(-a.value);
  return intNeg(intOperand("-", a));
}

/** `+a`. Throws `PyError` for what is no number. */
export function pos(a: PyValue): PyValue {
  return a instanceof PyFloat ? a : intOperand("+", a);
}

function escapedText(value: PyValue, code: "s" | "r" | "a"): string {
  return escape(code === "s" ? value : plainText(value, code)).text;
}

function intOperand(sign: string, a: PyValue): Int {
  if (a instanceof Undefined) throw a.error();
  const int = intOf(a);
  if (int === undefined) throw typeError(`bad operand type for unary ${sign}: '${typeName(a)}'`);
  return int;
}

/** The result for two numbers; undefined when one of the two is none. */
function numbers(
  a: PyValue,
  b: PyValue,
  ints: (x: Int, y: Int) => Int,
  floats: (x: number, y: number) => number,
): PyValue | undefined {
  const x = intOf(a);
  const y = intOf(b);
  if (x !== undefined && y !== undefined) return ints(x, y);
  const left = floatOf(a);
  const right = floatOf(b);
  return left === undefined || right === undefined ? undefined : new PyFloat(floats(left, right));
}

function floatOf(value: PyValue): number | undefined {
  if (value instanceof PyFloat) return value.value;
  const int = intOf(value);
  return int === undefined ? undefined : intToFloat(int);
}

function refuseZero(a: PyValue, b: PyValue, ofInts: string, ofFloats: string): void {
  const divisor = numberOf(b);
  if (divisor !== 0 || numberOf(a) === undefined) return;
  throw runtimeError(a instanceof PyFloat || b instanceof PyFloat ? ofFloats : ofInts);
}

function unsupported(operator: string, a: PyValue, b: PyValue): never {
  if (a instanceof Undefined) throw a.error();
  if (b instanceof Undefined) throw b.error();
  throw typeError(`unsupported operand type(s) for ${operator}: '${typeName(a)}' and '${typeName(b)}'`);
}

/** Keys or items that are in one but not in the other, where one of the two is a view of a dict or a set. */
function difference(a: PyValue, b: PyValue): PyValue | undefined {
  if (a instanceof PySet || b instanceof PySet) {
    return a instanceof PySet && b instanceof PySet ? a.without(b.iterate()) : undefined;
  }
  const views = [a, b].some((value) => value instanceof DictView && value.part !== "values");
  if (!views || a instanceof Undefined || b instanceof Undefined) return undefined;
  return new PySet(iterate(a)).without(iterate(b));
}

function joinText(a: string, b: string): string {
  checkStringLength(a.length + b.length);
  return a + b;
}

function join(a: PyValue, b: PyValue): PyValue {
  const left = textOf(a);
  const right = textOf(b);
  if (left !== undefined && right !== undefined) {
    return new Markup(joinText(escape(a).text, escape(b).text));
  }
  const head = itemsOf(a);
  const tail = itemsOf(b);
  if (head !== undefined && tail !== undefined && Array.isArray(a) === Array.isArray(b)) {
    checkItems(head.length + tail.length);
    const items = [...head, ...tail];
    return Array.isArray(a) ? items : new PyTuple(items);
  }
  if (b instanceof Undefined) throw b.error();
  if (left === undefined && head === undefined) return unsupported("+", a, b);
  const kind = left === undefined ? typeName(a) : "str";
  throw typeError(`can only concatenate ${kind} (not "${typeName(b)}") to ${kind}`);
}

function repeat(a: PyValue, b: PyValue): PyValue {
  if (a instanceof Undefined) throw a.error();
  if (b instanceof Undefined) throw b.error();
  for (const [sequence, times] of [[a, b], [b, a]] as const) {
    if (textOf(sequence) === undefined && itemsOf(sequence) === undefined) continue;
    const count = sequence instanceof Markup ? intArgument(times) : intOf(times);
    if (count === undefined) {
      throw typeError(`can't multiply sequence by non-int of type '${typeName(times)}'`);
    }
    if (!isIndex(count)) throw runtimeError("cannot fit 'int' into an index-sized integer");
    return repeated(sequence, count > 0 ? Number(count) : 0);
  }
  return unsupported("*", a, b);
}

/** Whether a machine of 64 bits could count that far. */
function isIndex(count: Int): boolean {
  return count >= -(2n ** 63n) && count < 2n ** 63n;
}

function repeated(sequence: PyValue, count: number): PyValue {
  const text = textOf(sequence);
  if (text !== undefined) {
    checkStringLength(text.length * count);
    const result = text === "" ? "" : text.repeat(count);
    return sequence instanceof Markup ? new Markup(result) : result;
  }
  const items = itemsOf(sequence) ?? [];
  checkItems(items.length * count);
  const result: PyValue[] = [];
  for (let i = 0; i < count && items.length > 0; i++) {
    for (const item of items) result.push(item);
  }
  return Array.isArray(sequence) ? result : new PyTuple(result);
}
