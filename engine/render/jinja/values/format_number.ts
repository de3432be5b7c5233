/**
 * Numbers by a format spec. A number becomes a sign, a prefix (`0x`), the digits of its whole part and the rest; then
 * the digits are grouped, and zeros or a fill bring the whole to its width.
 */
import { runtimeError } from "./error.ts";
import { fixedDigits, significantDigits } from "./exact_decimal.ts";
import { floatRepr } from "./float_repr.ts";
import { type FormatSpec, padText } from "./format_spec.ts";
import { type Int, intToFloat } from "./integer.ts";

/** The parts of a number that is written. */
interface NumberParts {
  readonly negative: boolean;
  readonly prefix: string;
  /** Digits that may be grouped. */
  readonly whole: string;
  /** Fraction, exponent, percent sign. */
  readonly rest: string;
  /** How many digits are in a group. */
  readonly group: number;
}

/** How digits of floats are written. */
export interface FloatStyle {
  /** `e`, `f` or `g`; `r` writes as many digits as are needed; `d` is `g` that looks like a float. */
  readonly style: "e" | "f" | "g" | "r" | "d";
  readonly precision: number;
  /** The point and zeros at the end stay. */
  readonly alternate: boolean;
}

const RADIX: ReadonlyMap<string, number> = new Map([["b", 2], ["o", 8], ["x", 16], ["X", 16]]);

/** No float has more digits than this behind its point or in all; what is asked for beyond are zeros. */
const MOST_DIGITS = 1100;

/** An integer by a spec. Throws `PyError` where the spec is not one for integers. @param type `int` or `bool` */
export function formatInt(value: Int, spec: FormatSpec, type: string): string {
  if ("eEfFgG%".includes(spec.type) && spec.type !== "") return formatFloat(intToFloat(value), spec, type);
  if (!["", "b", "c", "d", "n", "o", "x", "X"].includes(spec.type)) throw unknownCode(spec, type);
  if (spec.precision !== undefined) throw runtimeError("Precision not allowed in integer format specifier");
  if (spec.noNegativeZero) {
    throw runtimeError("Negative zero coercion (z) not allowed in integer format specifier");
  }
  if (spec.type === "c") return formatCharacter(value, spec);
  const radix = RADIX.get(spec.type);
  const digits = value.toString(radix).replace("-", "");
  return assemble({
    negative: value < 0,
    prefix: spec.alternate && radix !== undefined ? `0${spec.type}` : "",
    whole: spec.type === "X" ? digits.toUpperCase() : digits,
    rest: "",
    group: radix === undefined ? 3 : 4,
  }, spec);
}

function formatCharacter(value: Int, spec: FormatSpec): string {
  if (spec.sign !== undefined) throw runtimeError("Sign not allowed with integer format specifier 'c'");
  if (spec.alternate) throw runtimeError("Alternate form (#) not allowed with integer format specifier 'c'");
  if (value < 0 || value > 0x10ffff) throw runtimeError("%c arg not in range(0x110000)");
  return padText(String.fromCodePoint(Number(value)), spec, spec.align ?? ">");
}

/** A float by a spec. Throws `PyError` where the spec is not one for floats. @param type name of the type, for errors */
export function formatFloat(value: number, spec: FormatSpec, type: string): string {
  const { type: code, precision } = spec;
  if (!["", "e", "E", "f", "F", "g", "G", "n", "%"].includes(code)) throw unknownCode(spec, type);
  const scaled = code === "%" ? value * 100 : value;
  const text = floatDigits(Math.abs(scaled), floatStyle(code, precision, spec.alternate)) +
    (code === "%" ? "%" : "");
  const [whole = ""] = /^\d*/.exec(text) ?? [];
  const zero = spec.noNegativeZero && !/[1-9a-z]/.test(text.replace(/e.*/, ""));
  const parts = {
    negative: (value < 0 || Object.is(value, -0)) && !zero,
    prefix: "",
    whole,
    rest: text.slice(whole.length),
    group: 3,
  };
  const upper = code === "E" || code === "F" || code === "G";
  return assemble(upper ? { ...parts, rest: parts.rest.toUpperCase() } : parts, spec);
}

function floatStyle(code: string, precision: number | undefined, alternate: boolean): FloatStyle {
  switch (code.toLowerCase()) {
    case "":
      return precision === undefined
        ? { style: "r", precision: 0, alternate }
        : { style: "d", precision, alternate };
    case "e":
      return { style: "e", precision: precision ?? 6, alternate };
    case "f":
    case "%":
      return { style: "f", precision: precision ?? 6, alternate };
    default:
      return { style: "g", precision: precision ?? 6, alternate };
  }
}

/** The digits of a float that is not negative: `1.50`, `1e+16`, `inf`. */
export function floatDigits(magnitude: number, { style, precision, alternate }: FloatStyle): string {
  if (!Number.isFinite(magnitude)) return Number.isNaN(magnitude) ? "nan" : "inf";
  const places = Math.min(precision, MOST_DIGITS);
  const zeros = "0".repeat(precision - places);
  switch (style) {
    case "r":
      return alternate ? floatRepr(magnitude).replace(/^(\d+)(?=e)/, "$1.") : floatRepr(magnitude);
    case "f": {
      const text = fixedDigits(magnitude, places) + zeros;
      return alternate && precision === 0 ? `${text}.` : text;
    }
    case "e": {
      const { digits, exponent } = significantDigits(magnitude, places + 1);
      return withPoint(digits.charAt(0), digits.slice(1) + zeros, alternate) + exponentText(exponent);
    }
    case "g":
    case "d":
      return generalDigits(magnitude, { style, precision: Math.max(1, places), alternate });
  }
}

/** As `f` or as `e`, whichever is shorter; zeros at the end are left out. */
function generalDigits(magnitude: number, { style, precision, alternate }: FloatStyle): string {
  const { digits, exponent } = significantDigits(magnitude, precision);
  const kept = alternate ? digits : digits.replace(/0+$/, "") || "0";
  if (exponent < -4 || exponent >= precision - (style === "d" ? 1 : 0)) {
    return withPoint(kept.charAt(0), kept.slice(1), alternate) + exponentText(exponent);
  }
  if (exponent < 0) return withPoint("0", "0".repeat(-exponent - 1) + kept, alternate);
  const whole = kept.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const fraction = kept.slice(exponent + 1);
  return withPoint(whole, fraction === "" && style === "d" ? "0" : fraction, alternate);
}

function withPoint(whole: string, fraction: string, always: boolean): string {
  return fraction !== "" || always ? `${whole}.${fraction}` : whole;
}

function exponentText(exponent: number): string {
  return `e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

function assemble(parts: NumberParts, spec: FormatSpec): string {
  const sign = parts.negative ? "-" : spec.sign === undefined || spec.sign === "-" ? "" : spec.sign;
  const align = spec.align ?? (spec.zeroPadded ? "=" : ">");
  const head = sign + parts.prefix;
  const zeros = spec.fill === "0" && align === "=";
  const room = spec.width - head.length - parts.rest.length;
  const whole = parts.whole !== "" && spec.grouping !== undefined
    ? grouped(parts.whole, spec.grouping, { size: parts.group, width: zeros ? room : 0 })
    : parts.whole;
  const body = whole + parts.rest;
  if (align !== "=") return padText(head + body, spec, align);
  return head + padText(body, { fill: spec.fill, width: spec.width - head.length }, ">");
}

/** Digits in groups. Zeros are put in front while there is room for more, but never a separator first. */
function grouped(
  digits: string,
  separator: string,
  { size, width }: { readonly size: number; readonly width: number },
): string {
  const needed = Math.max(digits.length, width - Math.floor((width - 1) / (size + 1)));
  const padded = digits.padStart(needed, "0");
  const first = padded.length % size || size;
  const groups = [padded.slice(0, first)];
  for (let i = first; i < padded.length; i += size) groups.push(padded.slice(i, i + size));
  return groups.join(separator);
}

function unknownCode(spec: FormatSpec, type: string): Error {
  return runtimeError(`Unknown format code '${spec.type}' for object of type '${type}'`);
}
