/** Methods of numbers. */
import { intOf } from "../coerce.ts";
import { runtimeError } from "../error.ts";
import { fractionOf } from "../exact_decimal.ts";
import { bitLength, normalise } from "../integer.ts";
import { PyFloat, PyTuple, type PyValue } from "../value.ts";
import { type MethodTable, methodTable, positional } from "./method.ts";

/** Methods of an int or bool. */
export const intMethods: MethodTable = methodTable([
  positional("int.bit_length", [], (_env, self) => bitLength(intOf(self) ?? 0)),
  positional("int.bit_count", [], (_env, self) => bitCount(BigInt(intOf(self) ?? 0))),
  positional("int.conjugate", [], (_env, self) => intOf(self) ?? 0),
  positional("int.as_integer_ratio", [], (_env, self) => new PyTuple([intOf(self) ?? 0, 1])),
]);

/** Methods of a float. */
export const floatMethods: MethodTable = methodTable([
  positional("float.is_integer", [], (_env, self) => Number.isInteger(floatOf(self))),
  positional("float.conjugate", [], (_env, self) => self),
  positional("float.as_integer_ratio", [], (_env, self) => integerRatio(floatOf(self))),
  positional("float.hex", [], (_env, self) => hexOf(floatOf(self))),
]);

function floatOf(self: PyValue): number {
  return self instanceof PyFloat ? self.value : NaN;
}

function bitCount(int: bigint): number {
  return (int < 0n ? -int : int).toString(2).replaceAll("0", "").length;
}

function integerRatio(float: number): PyTuple {
  if (!Number.isFinite(float)) {
    const what = Number.isNaN(float) ? "NaN" : "Infinity";
    throw runtimeError(`cannot convert ${what} to integer ratio`);
  }
  const { numerator, denominator } = fractionOf(Math.abs(float));
  return new PyTuple([normalise(float < 0 ? -numerator : numerator), normalise(denominator)]);
}

/** 13 hexadecimal digits behind the point, and the power of two. */
function hexOf(float: number): string {
  if (Number.isNaN(float)) return "nan";
  const sign = float < 0 || Object.is(float, -0) ? "-" : "";
  const magnitude = Math.abs(float);
  if (magnitude === Infinity) return `${sign}inf`;
  if (magnitude === 0) return `${sign}0x0.0p+0`;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, magnitude);
  const bits = view.getBigUint64(0);
  const biased = Number(bits >> 52n);
  const digits = (bits & 0xfffffffffffffn).toString(16).padStart(13, "0");
  const exponent = biased === 0 ? -1022 : biased - 1023;
  return `${sign}0x${biased === 0 ? 0 : 1}.${digits}p${exponent < 0 ? "-" : "+"}${Math.abs(exponent)}`;
}
