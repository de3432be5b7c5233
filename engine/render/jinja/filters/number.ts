/** Filters of numbers. */
import { ceilTo, floorTo, roundTo } from "./rounding.ts";
import { define, defineBuiltin } from "../values/arguments.ts";
import { intOf, textOf } from "../values/coerce.ts";
import { type PyError, runtimeError, typeError } from "../values/error.ts";
import { fixedDigits } from "../values/exact_decimal.ts";
import { hashKey } from "../values/hash.ts";
import { countArgument } from "../values/index_argument.ts";
import { type Int, intNeg, intToFloat, truncate } from "../values/integer.ts";
import { type Filter, PyFloat, type PyValue, repr, truthy, typeName, Undefined } from "../values/mod.ts";
import { parseFloatText, parseInteger } from "../values/parse_number.ts";

/** Filters of numbers. */
export const numberFilters: readonly Filter[] = [
  defineBuiltin("abs", ["x"], (_env, value) => absolute(value)),
  define(
    "int",
    ["value", ["default", 0], ["base", 10]],
    (_env, value, fallback, base) => toInt(value, base) ?? fallback,
  ),
  define("float", ["value", ["default", new PyFloat(0)]], (_env, value, fallback) => {
    const float = toFloat(value);
    return float === undefined ? fallback : new PyFloat(float);
  }),
  define("round", ["value", ["precision", 0], ["method", "common"]], (_env, value, precision, method) => {
    switch (textOf(method)) {
      case "common":
        return roundTo(value, precision);
      case "ceil":
        return ceilTo(value, precision);
      case "floor":
        return floorTo(value, precision);
      default:
        hashKey(method);
        throw runtimeError("method must be common, ceil or floor");
    }
  }),
  define(
    "filesizeformat",
    ["value", ["binary", false]],
    (_env, value, binary) => fileSize(requiredFloat(value), truthy(binary)),
  ),
];

function absolute(value: PyValue): PyValue {
  if (value instanceof PyFloat) return new PyFloat(Math.abs(value.value));
  const int = intOf(value);
  if (int === undefined) throw typeError(`bad operand type for abs(): '${typeName(value)}'`);
  return int < 0 ? intNeg(int) : int;
}

/** `int(value)`, or of the float that the text is; undefined where it is neither. */
function toInt(value: PyValue, base: PyValue): Int | undefined {
  if (value instanceof Undefined) throw value.error();
  const int = intOf(value);
  if (int !== undefined) return int;
  if (value instanceof PyFloat) return Number.isNaN(value.value) ? undefined : truncate(value.value);
  const text = textOf(value);
  if (text === undefined) return undefined;
  const parsed = inBase(text, base);
  if (parsed !== undefined) return parsed;
  const float = parseFloatText(text);
  return float === undefined || !Number.isFinite(float) ? undefined : truncate(float);
}

function inBase(text: string, base: PyValue): Int | undefined {
  if (intOf(base) === undefined) return undefined;
  const radix = countArgument(base);
  return radix === 0 || (radix >= 2 && radix <= 36) ? parseInteger(text, radix) : undefined;
}

function toFloat(value: PyValue): number | undefined {
  if (value instanceof Undefined) throw value.error();
  if (value instanceof PyFloat) return value.value;
  const int = intOf(value);
  if (int !== undefined) return intToFloat(int);
  const text = textOf(value);
  return text === undefined ? undefined : parseFloatText(text);
}

function requiredFloat(value: PyValue): number {
  const float = toFloat(value);
  if (float !== undefined) return float;
  if (textOf(value) !== undefined) throw notANumber(value);
  throw typeError(`float() argument must be a string or a real number, not '${typeName(value)}'`);
}

function notANumber(value: PyValue): PyError {
  return runtimeError(`could not convert string to float: ${repr(value)}`);
}

const DECIMAL_UNITS = ["kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"];
const BINARY_UNITS = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"];

function fileSize(bytes: number, binary: boolean): string {
  const base = binary ? 1024 : 1000;
  if (bytes === 1) return "1 Byte";
  if (bytes < base) return `${truncate(bytes)} Bytes`;
  const units = binary ? BINARY_UNITS : DECIMAL_UNITS;
  const power = units.findIndex((_, i) => bytes < base ** (i + 2));
  const index = power < 0 ? units.length - 1 : power;
  const size = base * bytes / base ** (index + 2);
  const digits = Number.isFinite(size) ? fixedDigits(size, 1) : Number.isNaN(size) ? "nan" : "inf";
  return `${digits} ${units[index]}`;
}
