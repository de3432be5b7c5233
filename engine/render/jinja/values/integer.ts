/**
 * Python's integers: a number while it is safe, a bigint beyond, so that the frequent case costs nothing and no
 * precision is ever lost. Every function takes and gives normalised integers.
 */
import { runtimeError } from "./error.ts";
import { checkBits } from "./limits.ts";

/** An integer: a safe number, or a bigint that no safe number equals. */
export type Int = number | bigint;

/** The normalised form of a bigint. Throws `PyError` when it is larger than the limit. */
export function normalise(big: bigint): Int {
  const number = Number(big);
  if (Number.isSafeInteger(number)) return number;
  // The bits of a float's exponent tell the size of all but the largest.
  if (!Number.isFinite(number)) checkBits(bitLength(big));
  return big;
}

/** How many binary digits an integer has, without its sign. */
export function bitLength(value: Int): number {
  const magnitude = value < 0 ? -BigInt(value) : BigInt(value);
  if (magnitude === 0n) return 0;
  const hex = magnitude.toString(16);
  return (hex.length - 1) * 4 + (32 - Math.clz32(parseInt(hex.charAt(0), 16)));
}

/** `a + b`. */
export function intAdd(a: Int, b: Int): Int {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return normalise(BigInt(a) + BigInt(b));
}

/** `a - b`. */
export function intSub(a: Int, b: Int): Int {
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return normalise(BigInt(a) - BigInt(b));
}

/** `a * b`. */
export function intMul(a: Int, b: Int): Int {
  if (typeof a === "number" && typeof b === "number") {
    // Adding zero makes JavaScript's -0 a plain zero.
    const product = a * b + 0;
    if (Number.isSafeInteger(product)) return product;
  }
  return normalise(BigInt(a) * BigInt(b));
}

/** `a // b`, rounded down. `b` is not zero. */
export function intFloorDiv(a: Int, b: Int): Int {
  if (typeof a === "number" && typeof b === "number") {
    const rest = a % b;
    const quotient = (a - rest) / b + 0;
    return rest !== 0 && (rest < 0) !== (b < 0) ? quotient - 1 : quotient;
  }
  const x = BigInt(a);
  const y = BigInt(b);
  const quotient = x / y;
  return normalise(x % y !== 0n && (x < 0n) !== (y < 0n) ? quotient - 1n : quotient);
}

/** `a % b`, with the sign of `b`. `b` is not zero. */
export function intMod(a: Int, b: Int): Int {
  if (typeof a === "number" && typeof b === "number") {
    const rest = a % b + 0;
    return rest !== 0 && (rest < 0) !== (b < 0) ? rest + b : rest;
  }
  const y = BigInt(b);
  const rest = BigInt(a) % y;
  return normalise(rest !== 0n && (rest < 0n) !== (y < 0n) ? rest + y : rest);
}

/** `-a`. */
export function intNeg(a: Int): Int {
  return typeof a === "number" ? 0 - a : normalise(-a);
}

/** `base ** exponent` where the exponent is not negative. Throws `PyError` when it would be larger than the limit. */
export function intPow(base: Int, exponent: Int): Int {
  if (exponent === 0 || base === 1) return 1;
  if (base === 0) return 0;
  if (base === -1) return intMod(exponent, 2) === 0 ? 1 : -1;
  if (typeof exponent === "bigint") checkBits(Infinity);
  checkBits((bitLength(base) - 1) * Number(exponent));
  return normalise(BigInt(base) ** BigInt(exponent));
}

/** The nearest float. Throws `PyError` when there is none. */
export function intToFloat(value: Int): number {
  const float = Number(value);
  if (!Number.isFinite(float)) throw runtimeError("int too large to convert to float");
  return float;
}

/** `int(float)`. Throws `PyError` for what is not finite. */
export function truncate(value: number): Int {
  if (Number.isNaN(value)) throw runtimeError("cannot convert float NaN to integer");
  if (!Number.isFinite(value)) throw runtimeError("cannot convert float infinity to integer");
  return normalise(BigInt(Math.trunc(value)));
}

/** `a / b` as the nearest float. `b` is not zero. */
export function intTrueDiv(a: Int, b: Int): number {
  if (typeof a === "number" && typeof b === "number") return a / b;
  const quotient = nearestFloat(BigInt(a), BigInt(b));
  if (!Number.isFinite(quotient)) throw runtimeError("integer division result too large for a float");
  return quotient;
}

/**
 * The float nearest to a fraction, with one rounding. The quotient is taken with 66 bits or more, the last of them set
 * when something was left over, so that the one rounding to a float sees on which side of the middle it is.
 */
export function nearestFloat(numerator: bigint, denominator: bigint): number {
  const negative = (numerator < 0n) !== (denominator < 0n);
  const n = numerator < 0n ? -numerator : numerator;
  const d = denominator < 0n ? -denominator : denominator;
  if (n === 0n) return negative ? -0 : 0;
  // Below 2**-1074 nothing is left, so the shift never needs to be larger: subnormal results round once, too.
  const shift = Math.min(66 - (bitLength(n) - bitLength(d)), 1074);
  const scaled = shift >= 0 ? n << BigInt(shift) : n;
  const divisor = shift >= 0 ? d : d << BigInt(-shift);
  const exact = scaled / divisor;
  const sticky = scaled % divisor === 0n ? exact : exact | 1n;
  const value = scaleFloat(shift === 1074 ? roundHalfEven(scaled, divisor) : sticky, -shift);
  return negative ? -value : value;
}

/** A fraction of positive integers rounded to an integer, a half to the even one. */
export function roundHalfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const up = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
}

/** Powers of two are taken in two steps, since `2 ** 1074` alone is no float. */
function scaleFloat(mantissa: bigint, exponent: number): number {
  const half = Math.trunc(exponent / 2);
  return Number(mantissa) * 2 ** half * 2 ** (exponent - half);
}
