/**
 * Strings by code points. Python counts characters, JavaScript counts UTF-16 units; they are the same while no
 * character lies beyond U+FFFF, which is found out first, so that usual text is never taken apart.
 */

const SURROGATE = /[\ud800-\udfff]/;

/** Whether units and characters of a string are the same. */
export function isPlain(text: string): boolean {
  return !SURROGATE.test(text);
}

/** How many characters a string has. */
export function charLength(text: string): number {
  return isPlain(text) ? text.length : Array.from(text).length;
}

/** The characters of a string, each a string. */
export function characters(text: string): string[] {
  return isPlain(text) ? text.split("") : Array.from(text);
}

/** The characters from `start` to before `end`; both count characters, from 0. */
export function charSlice(text: string, start: number, end?: number): string {
  return isPlain(text) ? text.slice(start, end) : Array.from(text).slice(start, end).join("");
}

/** Negative, zero or positive, by code points. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  if (isPlain(a) && isPlain(b)) return a < b ? -1 : 1;
  const right = Array.from(b);
  let i = 0;
  for (const char of a) {
    const other = right[i++];
    if (other === undefined) return 1;
    if (char !== other) return (char.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
  }
  return -1;
}
