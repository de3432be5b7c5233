/**
 * Digests of data: equal data in, equal short text out, whatever the order of keys.
 *
 * SHA-256, because digests decide whether work is skipped and end up in records: a collision would lose a change.
 */
import { createHash } from "node:crypto";
import { canonicalJson } from "./json.ts";

/** SHA-256 of the canonical JSON of `value`, in hexadecimal (64 characters). */
export function digestOf(value: unknown): string {
  return digestOfText(canonicalJson(value));
}

/** SHA-256 of a text, in hexadecimal (64 characters). */
export function digestOfText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
