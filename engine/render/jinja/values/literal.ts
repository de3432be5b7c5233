/** Numbers as they stand in a template. */
import { type Int, normalise } from "./integer.ts";
import { PyFloat } from "./value.ts";

/** An integer literal: decimal, `0x`, `0o`, `0b`, with underscores between digits. */
export function intLiteral(text: string): Int {
  const digits = text.replaceAll("_", "");
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : normalise(BigInt(digits));
}

/** A float literal, with underscores between digits. */
export function floatLiteral(text: string): PyFloat {
  return new PyFloat(Number(text.replaceAll("_", "")));
}
