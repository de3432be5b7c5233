/** `range(start, stop, step)`. */
import { wrongCount } from "../values/arguments.ts";
import { runtimeError, typeError } from "../values/error.ts";
import type { Int } from "../values/integer.ts";
import { intArgument } from "../values/index_argument.ts";
import { type Kwargs, LIMITS, PyRange, type PyValue } from "../values/mod.ts";

/** Makes a range. Throws `PyError` for arguments that are no integers, a step of zero, or too many items. */
export function makeRange(args: readonly PyValue[], kwargs: Kwargs): PyRange {
  if (kwargs.size > 0) throw typeError("range() takes no keyword arguments");
  const [first, second, step = 1] = args;
  if (first === undefined || args.length > 3) throw wrongCount("range", { least: 1, most: 3 }, args.length);
  const ints = (second === undefined ? [0, first, step] : [first, second, step]).map(intArgument);
  const [start, stop, by] = [bound(ints[0]), bound(ints[1]), bound(ints[2])];
  if (by === 0) throw runtimeError("range() arg 3 must not be zero");
  const range = new PyRange(start, stop, by);
  if (range.length > LIMITS.rangeItems) {
    throw runtimeError(
      `Range too big. The sandbox blocks ranges larger than MAX_RANGE (${LIMITS.rangeItems}).`,
    );
  }
  return range;
}

function bound(int: Int | undefined): number {
  if (typeof int === "number") return int;
  throw runtimeError("Bounds of a range must be below 2**53");
}
