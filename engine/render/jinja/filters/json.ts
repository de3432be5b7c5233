/**
 * `tojson`: JSON as Python's `json.dumps` writes it, with sorted keys and ASCII only, and with the characters that mean
 * something in HTML written as escapes. The result is Markup.
 */
import { define } from "../values/arguments.ts";
import { intOf, itemsOf, textOf } from "../values/coerce.ts";
import { runtimeError, typeError } from "../values/error.ts";
import { floatRepr } from "../values/float_repr.ts";
import { checkStringLength } from "../values/limits.ts";
import {
  type Filter,
  Markup,
  mul,
  PyDict,
  PyError,
  PyFloat,
  type PyValue,
  repr,
  typeName,
  Undefined,
} from "../values/mod.ts";
import { sorted } from "../values/sorting.ts";

/** The filter `tojson`. */
export const jsonFilters: readonly Filter[] = [
  define(
    "tojson",
    ["value", ["indent", null]],
    (_env, value, indent) => new Markup(htmlSafe(toJson(value, indent))),
  ),
];

const HTML = /[<>&']/g;
const ESCAPED = /["\\]|[^ -~]/g;
const SHORT: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\f", "\\f"],
  ["\b", "\\b"],
]);

/** The JSON text of a value. Throws `PyError` for what JSON does not have. @param indent a number, a text or null */
export function toJson(value: PyValue, indent: PyValue): string {
  const scalar = scalarText(value);
  if (scalar !== undefined) return scalar;
  const unit = indent === null ? undefined : textOf(indent) ?? textOf(mul(" ", indent)) ?? "";
  return new JsonWriter(unit).write(value, 0);
}

function htmlSafe(text: string): string {
  return text.replace(HTML, unicodeEscape);
}

class JsonWriter {
  readonly #indent: string | undefined;
  readonly #open = new Set<PyValue>();
  #written = 0;

  constructor(indent: string | undefined) {
    this.#indent = indent;
  }

  write(value: PyValue, depth: number): string {
    const scalar = scalarText(value);
    if (scalar !== undefined) return this.#counted(scalar);
    if (this.#open.has(value)) throw runtimeError("Circular reference detected");
    this.#open.add(value);
    const text = this.#container(value, depth);
    this.#open.delete(value);
    return text;
  }

  #container(value: PyValue, depth: number): string {
    const items = itemsOf(value);
    if (items !== undefined) {
      return this.#enclosed(
        "[]",
        items.map((item) => this.write(item, depth + 1)),
        depth,
      );
    }
    if (!(value instanceof PyDict)) {
      throw new PyError(
        "type",
        `Object of type ${typeName(value)} is not JSON serializable`,
        undefinedHint(value),
      );
    }
    const pairs = sorted(value.keys()).map((key) => {
      const name = this.#counted(jsonString(keyText(key)));
      return `${name}: ${this.write(value.get(key) ?? null, depth + 1)}`;
    });
    return this.#enclosed("{}", pairs, depth);
  }

  #enclosed(brackets: "[]" | "{}", parts: readonly string[], depth: number): string {
    const [open, close] = brackets;
    if (parts.length === 0) return brackets;
    if (this.#indent === undefined) return `${open}${parts.join(", ")}${close}`;
    this.#counted("", parts.length * (depth + 1) * this.#indent.length);
    const outer = `\n${this.#indent.repeat(depth)}`;
    const inner = outer + this.#indent;
    return `${open}${inner}${parts.join(`,${inner}`)}${outer}${close}`;
  }

  #counted(text: string, extra = 0): string {
    this.#written += text.length + extra + 2;
    checkStringLength(this.#written);
    return text;
  }
}

/** Python's words do not name what is undefined. */
function undefinedHint(value: PyValue): string | undefined {
  if (!(value instanceof Undefined)) return undefined;
  const { message, hint } = value.error();
  return hint === undefined ? message : `${message}. ${hint}`;
}

function scalarText(value: PyValue): string | undefined {
  if (value === null) return "null";
  if (typeof value === "boolean") return String(value);
  if (value instanceof PyFloat) return jsonFloat(value.value);
  if (intOf(value) !== undefined) return repr(value);
  const text = textOf(value);
  return text === undefined ? undefined : jsonString(text);
}

function keyText(key: PyValue): string {
  const text = textOf(key);
  if (text !== undefined) return text;
  const scalar = scalarText(key);
  if (scalar === undefined) {
    throw typeError(`keys must be str, int, float, bool or None, not ${typeName(key)}`);
  }
  return scalar;
}

function jsonFloat(value: number): string {
  if (Number.isFinite(value)) return floatRepr(value);
  return Number.isNaN(value) ? "NaN" : value < 0 ? "-Infinity" : "Infinity";
}

function jsonString(text: string): string {
  return `"${text.replace(ESCAPED, (char) => SHORT.get(char) ?? unicodeEscape(char))}"`;
}

function unicodeEscape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
