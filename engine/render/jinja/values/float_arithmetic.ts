/** Floats where Python and JavaScript differ: division that rounds down, its rest, and powers. */
import { runtimeError } from "./error.ts";
import { nearestFloat } from "./integer.ts";
import { fractionOf } from "./exact_decimal.ts";

/** `a % b` with the sign of `b`. `b` is not zero. */
export function floatMod(a: number, b: number): number {
  const rest = a % b;
  if (rest === 0) return b < 0 ? -0 : 0;
  return (rest < 0) !== (b < 0) ? rest + b : rest;
}

/** `a // b`. `b` is not zero. */
export function floatFloorDiv(a: number, b: number): number {
  const rest = a % b;
  let quotient = (a - rest) / b;
  if (rest !== 0 && (rest < 0) !== (b < 0)) quotient -= 1;
  if (quotient === 0) return a / b < 0 || Object.is(a / b, -0) ? -0 : 0;
  const floor = Math.floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

/** `base ** exponent`. Throws `PyError` for what is no real number or too large. */
export function floatPow(base: number, exponent: number): number {
  if (base === 1 || exponent === 0) return 1;
  if (base === -1 && !Number.isFinite(exponent) && !Number.isNaN(exponent)) return 1;
  if (base === 0 && exponent < 0 && Number.isFinite(exponent)) {
    throw runtimeError("0.0 cannot be raised to a negative power");
  }
  if (base < 0 && Number.isFinite(base) && Number.isFinite(exponent) && !Number.isInteger(exponent)) {
    throw runtimeError(
      "the power of a negative number with a broken exponent is complex, which is not supported",
    );
  }
  const power = nearestPower(base, exponent);
  if (!Number.isFinite(power) && Number.isFinite(base) && Number.isFinite(exponent)) {
    throw runtimeError("(34, 'Numerical result out of range')");
  }
  return power;
}

/** `Math.pow` is not always the float nearest to the result; whole exponents are worked out exactly. */
function nearestPower(base: number, exponent: number): number {
  const rough = base ** exponent;
  if (exponent === 0.5) return Math.sqrt(base);
  if (!Number.isInteger(exponent) || Math.abs(exponent) > 1100 || !Number.isFinite(rough)) return rough;
  const magnitude = Math.abs(rough);
  if (magnitude === 0 || magnitude < 1e-290) return rough;
  const { numerator, denominator } = fractionOf(Math.abs(base));
  const times = BigInt(Math.abs(exponent));
  const [n, d] = exponent < 0 ? [denominator, numerator] : [numerator, denominator];
  const power = nearestFloat(n ** times, d ** times);
  return rough < 0 ? -power : power;
}
