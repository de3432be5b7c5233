/**
 * What goes wrong with values, without a place: operators, methods, filters and tests throw `PyError` with the words
 * of Python or Jinja2, and the evaluator tells it at the place that it passed last. The four kinds are those that the
 * conformance cases tell apart.
 */

/** What kind of error a template ran into. */
export type ErrorKind = "type" | "undefined" | "runtime" | "syntax";

/** An error of a value; carries no place. */
export class PyError extends Error {
  override readonly name = "PyError";
  readonly kind: ErrorKind;
  /** What Python does not say: advice for the author. */
  readonly hint: string | undefined;

  constructor(kind: ErrorKind, message: string, hint?: string) {
    super(message);
    this.kind = kind;
    this.hint = hint;
  }
}

/** What Python calls a `TypeError`. */
export function typeError(message: string): PyError {
  return new PyError("type", message);
}

/** What Python calls a `ValueError`, `KeyError`, `OverflowError`, `ZeroDivisionError` and the like. */
export function runtimeError(message: string): PyError {
  return new PyError("runtime", message);
}
