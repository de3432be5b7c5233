/**
 * Bounds of what one value may become. They are checked before memory is taken, so that `'a' * 10**9` costs nothing.
 * Every function that makes a value larger than its inputs asks here; the numbers are the same for all renders, so that
 * a template that renders once renders always.
 */
import { runtimeError } from "./error.ts";

/** The bounds. */
export const LIMITS = {
  /** UTF-16 units of one string. */
  stringLength: 4 * 1024 * 1024,
  /** Items of one list, tuple or dict that an operator or filter makes. */
  items: 1_000_000,
  /** Items of one `range`, as in Jinja2's sandbox. */
  rangeItems: 100_000,
  /** Bits of one integer. */
  integerBits: 65_536,
} as const;

/** Throws `PyError` when a string would get too long. */
export function checkStringLength(length: number): void {
  if (length > LIMITS.stringLength) {
    throw runtimeError(`The string would be longer than the limit of ${LIMITS.stringLength} characters`);
  }
}

/** Throws `PyError` when a list, tuple or dict would get too long. */
export function checkItems(count: number): void {
  if (count > LIMITS.items) {
    throw runtimeError(`The sequence would be longer than the limit of ${LIMITS.items} items`);
  }
}

/** Throws `PyError` when an integer would get too large. */
export function checkBits(bits: number): void {
  if (bits > LIMITS.integerBits) {
    throw runtimeError(`The integer would be larger than the limit of ${LIMITS.integerBits} bits`);
  }
}
