/** Sorting by Python's `<`: stable, and an error for items that have no order. */
import { lt } from "./compare.ts";
import type { PyValue } from "./value.ts";

/** How to sort. */
export interface SortOptions {
  /** What an item is sorted by; itself by default. Runs once for each item. */
  readonly key?: (item: PyValue) => PyValue;
  readonly reverse?: boolean;
}

/** The items in order. Throws `PyError` for items that have no order. */
export function sorted(items: Iterable<PyValue>, { key, reverse = false }: SortOptions = {}): PyValue[] {
  const pairs = Array.from(items, (item) => ({ item, by: key === undefined ? item : key(item) }));
  pairs.sort((a, b) => {
    if (lt(a.by, b.by)) return reverse ? 1 : -1;
    if (lt(b.by, a.by)) return reverse ? -1 : 1;
    return 0;
  });
  return pairs.map(({ item }) => item);
}
