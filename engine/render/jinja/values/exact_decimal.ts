/**
 * A float in decimal digits, exactly: a float is an integer times a power of two, so it can be rounded at any digit
 * without a second rounding, a half to the even digit, as Python's formatting and `round` do.
 */
import { nearestFloat, roundHalfEven } from "./integer.ts";

/** Digits and the power of ten of the first of them. */
export interface DecimalDigits {
  readonly digits: string;
  readonly exponent: number;
}

interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** The digits of a finite float, not negative, with this many places behind the point: `1.25`, 1 → `1.2`. */
export function fixedDigits(magnitude: number, places: number): string {
  const { numerator, denominator } = fractionOf(magnitude);
  const scaled = roundHalfEven(numerator * 10n ** BigInt(places), denominator).toString();
  if (places === 0) return scaled;
  const padded = scaled.padStart(places + 1, "0");
  return `${padded.slice(0, -places)}.${padded.slice(-places)}`;
}

/** The first `count` digits of a finite float, not negative. */
export function significantDigits(magnitude: number, count: number): DecimalDigits {
  if (magnitude === 0) return { digits: "0".repeat(count), exponent: 0 };
  const exponent = Number(magnitude.toExponential().split("e")[1]);
  const digits = scaledBy(magnitude, count - 1 - exponent);
  // Rounding up 9.99 gives one digit more.
  return digits.length > count
    ? { digits: digits.slice(0, count), exponent: exponent + 1 }
    : { digits, exponent };
}

/** `round(value, places)` of a float; `places` may be negative. */
export function roundFloat(value: number, places: number): number {
  if (!Number.isFinite(value) || value === 0 || places > 323) return value;
  const magnitude = Math.abs(value);
  if (places < -308) return value < 0 ? -0 : 0;
  const digits = BigInt(scaledBy(magnitude, places));
  const rounded = places >= 0
    ? nearestFloat(digits, 10n ** BigInt(places))
    : Number(digits * 10n ** BigInt(-places));
  return value < 0 ? -rounded : rounded;
}

/** `magnitude * 10 ** power`, rounded to an integer. */
function scaledBy(magnitude: number, power: number): string {
  const { numerator, denominator } = fractionOf(magnitude);
  const rounded = power >= 0
    ? roundHalfEven(numerator * 10n ** BigInt(power), denominator)
    : roundHalfEven(numerator, denominator * 10n ** BigInt(-power));
  return rounded.toString();
}

/** A finite float, not negative, as the fraction that it is. */
export function fractionOf(magnitude: number): Fraction {
  if (Number.isInteger(magnitude)) return { numerator: BigInt(magnitude), denominator: 1n };
  let mantissa = magnitude;
  let shift = 0n;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    shift++;
  }
  return { numerator: BigInt(mantissa), denominator: 1n << shift };
}
