/**
 * JSON as Kubernetes means it: text in, plain data out, and back, with integers beyond 2^53 kept exact.
 *
 * `JSON.parse` rounds such integers, so they become `bigint` here (only where the text holds one: the common
 * case stays as fast as the built-in). Key order is that of JavaScript objects; templates read the *text* of an
 * object instead (see `render`), because there integer-like keys must not move.
 */

/** A JSON value; integers that a double cannot hold are `bigint`. */
export type JsonValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly JsonValue[]
  | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** True for a JSON object: not null, not a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const LONG_INTEGER = /\d{16}/;
const INTEGER = /^-?\d+$/;

/** Parses JSON text. Throws `SyntaxError` as `JSON.parse` does. */
export function parseJson(text: string): unknown {
  if (!LONG_INTEGER.test(text)) return JSON.parse(text);
  return JSON.parse(text, reviveBigIntegers);
}

function reviveBigIntegers(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  return source !== undefined && INTEGER.test(source) ? BigInt(source) : value;
}

/** Prints JSON on one line; a `bigint` becomes the integer it is. Keys with the value `undefined` are left out. */
export function stringifyJson(value: unknown): string {
  return JSON.stringify(value, printBigInteger) ?? "null";
}

/** A replacer for `JSON.stringify`: a `bigint` becomes the integer it is. */
export function printBigInteger(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? rawJson(value.toString()) : value;
}

/** `JSON.rawJSON` (ECMAScript proposal, in V8): TypeScript's library does not declare it yet. */
function rawJson(text: string): unknown {
  const raw: unknown = Reflect.get(JSON, "rawJSON");
  if (typeof raw !== "function") throw new Error("This runtime has no JSON.rawJSON, which big integers need");
  return raw.call(JSON, text);
}

/** Prints JSON with the keys of every object in code-unit order: equal data, equal text. For digests. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, sortedKeys) ?? "null";
}

function sortedKeys(key: string, value: unknown): unknown {
  if (!isJsonObject(value)) return printBigInteger(key, value);
  const sorted: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(value).sort()) sorted[name] = value[name];
  return sorted;
}
