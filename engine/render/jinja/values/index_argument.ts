/** Arguments that have to be integers: indices, widths and counts. */
import { intOf } from "./coerce.ts";
import { typeError } from "./error.ts";
import type { Int } from "./integer.ts";
import { typeName } from "./type_name.ts";
import type { PyValue } from "./value.ts";

/** The argument as an integer. Throws `PyError` for anything else. */
export function intArgument(value: PyValue): Int {
  const int = intOf(value);
  if (int !== undefined) return int;
  throw typeError(`'${typeName(value)}' object cannot be interpreted as an integer`);
}

/** The argument as a number; what is too large to count anything becomes the largest safe integer. */
export function countArgument(value: PyValue): number {
  return Math.min(Math.max(Number(intArgument(value)), -Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}

/** The bounds of a search as indices from 0 to `length`; null stands for a bound that is not given. */
export function searchBounds(length: number, start: PyValue, stop: PyValue): readonly [number, number] {
  const place = (bound: PyValue, otherwise: number): number => {
    if (bound === null) return otherwise;
    const int = intOf(bound);
    if (int === undefined) {
      throw typeError("slice indices must be integers or None or have an __index__ method");
    }
    const index = Number(int);
    return Math.max(0, index < 0 ? index + length : index);
  };
  return [place(start, 0), Math.min(place(stop, length), length)];
}
