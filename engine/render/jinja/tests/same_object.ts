/**
 * `is` of Python: whether two values are one object. Numbers and texts have no identity here; equal ones of one type
 * count as one object, as they mostly are in Python, where small integers and constants are shared.
 */
import type { PyValue } from "../values/mod.ts";

/** Whether two values are the same object. */
export function sameObject(a: PyValue, b: PyValue): boolean {
  return a === b;
}
