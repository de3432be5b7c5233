/** `range(start, stop, step)`. */
import { wrongCount } from "../values/arguments.ts";
import { runtimeError, typeError } from "../values/error.ts";
import { intArgument } from "../values/index_argument.ts";
import { type Kwargs, LIMITS, PyRange, type PyValue } from "../values/mod.ts";

/** Makes a range. Throws `PyError` for arguments that are no integers, a step of zero, or too many items. */
export function makeRange(args: readonly PyValue[], kwargs: Kwargs): PyRange {
  if (kwargs.size > 0) throw typeError("range() takes no keyword arguments");
  const [first, second, step = 1] = args;
  if (first === undefined || args.length > 3) throw wrongCount("range", { least: 1, most: 3 }, args.length);
  const [start, stop] = second === undefined ? [0, bound(first)] : [bound(first), bound(second)];
  const by = bound(step);
  if (by === 0) throw runtimeError("range() arg 3 must not be zero");
  const range = new PyRange(start, stop, by);
  if (range.length > LIMITS.rangeItems) {
    throw runtimeError(
      `Range too big. The sandbox blocks ranges larger than MAX_RANGE (${LIMITS.rangeItems}).`,
    );
  }
  return range;
}

function bound(value: PyValue): number {
  const int = intArgument(value);
  if (typeof int === "bigint") throw runtimeError("Bounds of a range must be below 2**53");
  return int;
}
