/**
 * What YAML text becomes, and how a text that is no YAML is refused.
 *
 * The shape is that of JSON (the same as `JsonValue` of meta; folders of the lowest layer do not import one another).
 */

/** A value read from YAML; integers that a double cannot hold are `bigint`. */
export type YamlValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly YamlValue[]
  | YamlMapping;

/** A mapping read from YAML. Every key, `__proto__` too, is an own property of a plain object. */
export interface YamlMapping {
  readonly [key: string]: YamlValue | undefined;
}

/** Where a value stands: keys and list positions from the root of the document. */
export type YamlPath = readonly (string | number)[];

/**
 * A text that cannot be read. `line` and `column` are 1-based and count in the text that was given; the message does not
 * repeat them, because a caller may know a better place (the line of the template that printed the text).
 */
export class YamlError extends Error {
  override readonly name = "YamlError";

  constructor(message: string, readonly line: number, readonly column: number, options?: ErrorOptions) {
    super(message, options);
  }
}
