/**
 * `text % values`, the way of C: `%5.2f`, `%(name)s`. Values come from a tuple one after another, from a dict by name,
 * or there is only one.
 */
import { asciiRepr } from "./ascii_repr.ts";
import { intOf, textOf } from "./coerce.ts";
import { charLength, charSlice } from "./code_points.ts";
import { PyDict } from "./dict.ts";
import { runtimeError, typeError } from "./error.ts";
import { floatDigits } from "./format_number.ts";
import { type Int, intToFloat, truncate } from "./integer.ts";
import { strictItem } from "./item.ts";
import { checkStringLength } from "./limits.ts";
import { repr, str } from "./repr.ts";
import { typeName } from "./type_name.ts";
import { PyFloat, PyObject, PyRange, PyTuple, type PyValue } from "./value.ts";
import { Undefined } from "./undefined.ts";

/** One conversion, taken apart. */
interface Conversion {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly code: string;
}

const CONVERSION = /([-+ #0]*)(\*|\d*)(?:\.(\*|\d*))?[hlL]?([\s\S])?/uy;

/** How a value is written by `%s`, `%r` and `%a`; Markup escapes there. */
export type WriteValue = (value: PyValue, code: "s" | "r" | "a") => string;

/** Formats values. Throws `PyError` for too few or too many values, wrong types and unknown letters. */
export function percentFormat(format: string, values: PyValue, write: WriteValue = plainText): string {
  const source = new Values(values);
  let result = "";
  let at = 0;
  for (let sign = format.indexOf("%"); sign >= 0; sign = format.indexOf("%", at)) {
    result += format.slice(at, sign);
    at = sign + 1;
    if (format.charAt(at) === "(") {
      const end = keyEnd(format, at + 1);
      source.choose(format.slice(at + 1, end));
      at = end + 1;
    }
    CONVERSION.lastIndex = at;
    const [whole = "", flags = "", width = "", precision, code] = CONVERSION.exec(format) ?? [];
    if (code === undefined) throw runtimeError("incomplete format");
    at += whole.length;
    if (format.charAt(sign + 1) === "%") {
      result += "%";
    } else {
      const conversion = conversionOf({ flags, width, precision, code }, source);
      result += field(convert(conversion, source.next(), { write, index: at - code.length }), conversion);
    }
    checkStringLength(result.length);
  }
  source.finish();
  return result + format.slice(at);
}

/** Writes a value as text of its own. */
export function plainText(value: PyValue, code: "s" | "r" | "a"): string {
  return code === "s" ? str(value) : code === "r" ? repr(value) : asciiRepr(value);
}

/** The values to be formatted, and how many of them have been. */
class Values {
  readonly #all: PyValue;
  #values: readonly PyValue[];
  #taken = 0;
  readonly #isMapping: boolean;

  constructor(values: PyValue) {
    this.#all = values;
    this.#values = values instanceof PyTuple ? values.items : [values];
    this.#isMapping = hasItems(values);
  }

  /** The next value is the one of a key. */
  choose(key: string): void {
    if (!this.#isMapping) throw typeError("format requires a mapping");
    this.#values = [strictItem(this.#all, key)];
    this.#taken = 0;
  }

  next(): PyValue {
    const value = this.#values[this.#taken++];
    if (value === undefined) throw typeError("not enough arguments for format string");
    return value;
  }

  finish(): void {
    if (this.#taken < this.#values.length && !this.#isMapping) {
      throw typeError("not all arguments converted during string formatting");
    }
  }
}

/** What Python takes for a mapping here: all that has items, besides texts and tuples. */
function hasItems(value: PyValue): boolean {
  return Array.isArray(value) || value instanceof PyDict || value instanceof PyRange ||
    value instanceof Undefined ||
    (value instanceof PyObject && value.item !== undefined);
}

function keyEnd(format: string, start: number): number {
  let depth = 1;
  for (let at = start; at < format.length; at++) {
    const char = format.charAt(at);
    if (char === "(") depth++;
    if (char === ")" && --depth === 0) return at;
  }
  throw runtimeError("incomplete format key");
}

interface WrittenConversion {
  readonly flags: string;
  readonly width: string;
  readonly precision: string | undefined;
  readonly code: string;
}

function conversionOf({ flags, width, precision, code }: WrittenConversion, source: Values): Conversion {
  const wide = width === "*" ? starValue(source) : Number(width);
  const precise = precision === "*"
    ? Math.max(0, starValue(source))
    : precision === undefined
    ? undefined
    : Number(precision);
  checkStringLength(Math.max(Math.abs(wide), precise ?? 0));
  return { flags: wide < 0 ? `${flags}-` : flags, width: Math.abs(wide), precision: precise, code };
}

function starValue(source: Values): number {
  const int = intOf(source.next());
  if (int === undefined) throw typeError("* wants int");
  return Number(int);
}

/** What stands in a field: a sign, digits or text. */
interface Written {
  readonly sign: string;
  readonly body: string;
  readonly isNumber: boolean;
}

function convert(
  { flags, precision, code }: Conversion,
  value: PyValue,
  { write, index }: { readonly write: WriteValue; readonly index: number },
): Written {
  switch (code) {
    case "s":
    case "r":
    case "a": {
      const text = write(value, code);
      return {
        sign: "",
        body: precision === undefined ? text : charSlice(text, 0, precision),
        isNumber: false,
      };
    }
    case "c":
      return { sign: "", body: character(value), isNumber: false };
    case "d":
    case "i":
    case "u":
      return integer(wholeNumber(value, code), { flags, precision, code: "d" });
    case "o":
    case "x":
    case "X":
      return integer(exactInteger(value, code), { flags, precision, code });
    case "e":
    case "E":
    case "f":
    case "F":
    case "g":
    case "G":
      return float(realNumber(value), { flags, precision, code });
    default: {
      const hex = (code.codePointAt(0) ?? 0).toString(16);
      throw runtimeError(`unsupported format character '${code}' (0x${hex}) at index ${index}`);
    }
  }
}

function field({ sign, body, isNumber }: Written, { flags, width }: Conversion): string {
  const missing = width - charLength(sign) - charLength(body);
  if (missing <= 0) return sign + body;
  if (flags.includes("-")) return sign + body + " ".repeat(missing);
  return isNumber && flags.includes("0")
    ? sign + "0".repeat(missing) + body
    : " ".repeat(missing) + sign + body;
}

function signOf(negative: boolean, flags: string): string {
  if (negative) return "-";
  return flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
}

const RADIX: ReadonlyMap<string, number> = new Map([["o", 8], ["x", 16], ["X", 16]]);

function integer(int: Int, { flags, precision = 0, code }: Omit<Conversion, "width">): Written {
  const radix = RADIX.get(code);
  const prefix = radix !== undefined && flags.includes("#") ? `0${code}` : "";
  const digits = int.toString(radix).replace("-", "").padStart(precision, "0");
  const body = code === "X" ? digits.toUpperCase() : digits;
  return { sign: signOf(int < 0, flags) + prefix, body, isNumber: true };
}

function float(value: number, { flags, precision = 6, code }: Omit<Conversion, "width">): Written {
  const lower = code.toLowerCase();
  const style = lower === "e" ? "e" : lower === "f" ? "f" : "g";
  const digits = floatDigits(Math.abs(value), { style, precision, alternate: flags.includes("#") });
  const body = code === lower ? digits : digits.toUpperCase();
  return { sign: signOf(value < 0 || Object.is(value, -0), flags), body, isNumber: true };
}

function wholeNumber(value: PyValue, code: string): Int {
  const int = intOf(value);
  if (int !== undefined) return int;
  if (value instanceof Undefined) throw value.error();
  if (!(value instanceof PyFloat)) {
    throw typeError(`%${code} format: a real number is required, not ${typeName(value)}`);
  }
  return truncate(value.value);
}

function exactInteger(value: PyValue, code: string): Int {
  const int = intOf(value);
  if (int === undefined) throw typeError(`%${code} format: an integer is required, not ${typeName(value)}`);
  return int;
}

function realNumber(value: PyValue): number {
  if (value instanceof PyFloat) return value.value;
  const int = intOf(value);
  if (int !== undefined) return intToFloat(int);
  if (value instanceof Undefined) throw value.error();
  throw typeError(`must be real number, not ${typeName(value)}`);
}

function character(value: PyValue): string {
  const text = textOf(value);
  if (text !== undefined && charLength(text) === 1) return text;
  const int = intOf(value);
  if (int === undefined) throw typeError("%c requires int or char");
  if (int < 0 || int > 0x10ffff) throw runtimeError("%c arg not in range(0x110000)");
  return String.fromCodePoint(Number(int));
}
