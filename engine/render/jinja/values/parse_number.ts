/** Text that a number is read from: what Python's `int(text, base)` and `float(text)` take. */
import { type Int, normalise } from "./integer.ts";
import { strip } from "./string_split.ts";

const FLOAT = /^[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?$/i;
const WORD = /^([+-]?)(?:(inf|infinity)|nan)$/i;
const PREFIXES: ReadonlyMap<string, number> = new Map([["b", 2], ["o", 8], ["x", 16]]);
const MOST_DIGITS = 4300;

/** The integer of a text; undefined where it is none. `base` is 0 or from 2 to 36. */
export function parseInteger(text: string, base: number): Int | undefined {
  const match = /^([+-]?)(0[box])?(_?)(\w+)$/i.exec(asciiDigits(strip(text, undefined, "both")));
  if (match === null) return undefined;
  const [, sign, prefix = "", underscore = "", rest = ""] = match;
  const named = PREFIXES.get(prefix.charAt(1).toLowerCase());
  const fits = named !== undefined && (base === 0 || base === named);
  const radix = base === 0 ? named ?? 10 : base;
  const body = fits ? rest : prefix + underscore + rest;
  if (/^_|__|_$/.test(body) || (base === 0 && !fits && /^0_?[0-9]*[1-9]/.test(body))) return undefined;
  const magnitude = digitsValue(body.replaceAll("_", "").toLowerCase(), radix);
  return magnitude === undefined ? undefined : normalise(sign === "-" ? -magnitude : magnitude);
}

function digitsValue(digits: string, radix: number): bigint | undefined {
  if (digits.length > MOST_DIGITS) return undefined;
  let value = 0n;
  const big = BigInt(radix);
  for (const char of digits) {
    const digit = parseInt(char, 36);
    if (Number.isNaN(digit) || digit >= radix) return undefined;
    value = value * big + BigInt(digit);
  }
  return value;
}

/** The float of a text; undefined where it is none. */
export function parseFloatText(text: string): number | undefined {
  const trimmed = asciiDigits(strip(text, undefined, "both"));
  const word = WORD.exec(trimmed);
  if (word !== null) return word[2] === undefined ? NaN : word[1] === "-" ? -Infinity : Infinity;
  return FLOAT.test(trimmed) ? Number(trimmed.replaceAll("_", "")) : undefined;
}

/** Decimal digits of all scripts, as those of ASCII. */
function asciiDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (char) => String(digitValue(char.codePointAt(0) ?? 0)));
}

/** Digits come in rows that begin with a zero. */
function digitValue(code: number): number {
  let row = 0;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(code - row - 1))) row++;
  return row % 10;
}
