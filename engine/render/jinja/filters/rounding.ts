/** The ways of `round`. */
import { intOf } from "../values/coerce.ts";
import { typeError } from "../values/error.ts";
import { roundFloat } from "../values/exact_decimal.ts";
import { countArgument } from "../values/index_argument.ts";
import { intAdd, intMod, intMul, intPow, intSub, truncate } from "../values/integer.ts";
import { div, mul, pow, PyFloat, type PyValue, typeName } from "../values/mod.ts";

/** `round(value, precision)`: a half goes to the even neighbour; an int stays one. */
export function roundTo(value: PyValue, precision: PyValue): PyValue {
  if (value instanceof PyFloat) {
    if (precision === null) return truncate(roundFloat(value.value, 0));
    return new PyFloat(roundFloat(value.value, countArgument(precision)));
  }
  const int = intOf(value);
  if (int === undefined) throw typeError(`type ${typeName(value)} doesn't define __round__ method`);
  const places = precision === null ? 0 : countArgument(precision);
  if (places >= 0) return int;
  const unit = intPow(10, -places);
  const rest = intMod(int, unit);
  const lower = intSub(int, rest);
  const twice = intMul(rest, 2);
  const odd = intMod(lower, intMul(unit, 2)) !== 0;
  return twice > unit || (twice === unit && odd) ? intAdd(lower, unit) : lower;
}

/** Up to the next multiple of `10 ** -precision`, as a float. */
export function ceilTo(value: PyValue, precision: PyValue): PyValue {
  return scaledBy(value, precision, Math.ceil);
}

/** Down to the next multiple of `10 ** -precision`, as a float. */
export function floorTo(value: PyValue, precision: PyValue): PyValue {
  return scaledBy(value, precision, Math.floor);
}

function scaledBy(value: PyValue, precision: PyValue, toWhole: (value: number) => number): PyValue {
  const unit = pow(10, precision);
  const scaled = mul(value, unit);
  const int = intOf(scaled);
  if (int !== undefined) return div(int, unit);
  if (!(scaled instanceof PyFloat)) throw typeError(`must be real number, not ${typeName(scaled)}`);
  return div(truncate(toWhole(scaled.value)), unit);
}
