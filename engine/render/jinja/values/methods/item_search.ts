/** `index` and `count` of lists, tuples and ranges. */
import { sameOrEqual } from "../compare.ts";
import { runtimeError } from "../error.ts";
import { searchBounds } from "../index_argument.ts";
import { repr } from "../repr.ts";
import { iterate } from "../sequence.ts";
import { PyRange, PyTuple, type PyValue } from "../value.ts";

/** Where an item is. Throws `PyError` where it is not. */
export function indexOfItem(
  sequence: PyValue,
  value: PyValue,
  [start, stop]: readonly [PyValue, PyValue] = [null, null],
): number {
  const items = Array.from(iterate(sequence));
  const [from, to] = searchBounds(items.length, start, stop);
  for (let i = from; i < to; i++) {
    if (sameOrEqual(items[i] ?? null, value)) return i;
  }
  if (sequence instanceof PyTuple) throw runtimeError("tuple.index(x): x not in tuple");
  throw runtimeError(`${repr(value)} is not in ${sequence instanceof PyRange ? "range" : "list"}`);
}

/** How often an item is there. */
export function countItems(sequence: PyValue, value: PyValue): number {
  let count = 0;
  for (const item of iterate(sequence)) {
    if (sameOrEqual(item, value)) count++;
  }
  return count;
}
