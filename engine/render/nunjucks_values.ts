/**
 * JSON text becomes the plain JavaScript values that nunjucks templates work on: integers beyond 2^53 as `bigint`, keys in the order of
 * the text.
 *
 * JavaScript moves keys that look like integers to the front. A mapping that has such keys, and only that, stands behind a Proxy which
 * lists them as they were.
 */
import { isJsonObject, parseJson } from "../meta/json.ts";

/** A key that JavaScript would move. Outside of keys a JSON text holds no such piece: quotes inside strings are escaped. */
const INTEGER_KEY = /"(\d+)"(?=\s*:)/g;
/** Put before such a key, so that it stays where it is until it is read. */
const GUARD = "\u0000";

/** The value of a JSON text. Throws `SyntaxError`. */
export function readValue(text: string): unknown {
  const guarded = text.replace(INTEGER_KEY, `"\\u0000$1"`);
  const value = parseJson(guarded);
  return guarded === text ? value : inOrder(value);
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).map((key) => key.startsWith(GUARD) ? key.slice(GUARD.length) : key);
  const mapping = Object.fromEntries(
    Object.values(value).map((item, index) => [names[index] ?? "", inOrder(item)]),
  );
  return new Proxy(mapping, { ownKeys: () => names });
}
