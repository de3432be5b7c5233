/**
 * `str.format`: text with fields in braces goes in with the arguments, text comes out. A field names an argument, goes on
 * to attributes and items of it, and may have a conversion and a spec, which may hold fields itself. Attributes are those
 * that are data; a method or anything that begins with an underscore cannot be reached.
 */
import { asciiRepr } from "./ascii_repr.ts";
import { dataAttribute } from "./attribute.ts";
import { runtimeError } from "./error.ts";
import { strictItem } from "./item.ts";
import { checkStringLength } from "./limits.ts";
import { repr, str } from "./repr.ts";
import { typeName } from "./type_name.ts";
import { Undefined } from "./undefined.ts";
import type { PyValue } from "./value.ts";

/** What fields are filled with. */
export interface FormatArguments {
  /** Absent where fields have to have names. */
  readonly positional?: readonly PyValue[];
  /** The value of a name. Throws or gives undefined when there is none. */
  named(name: string): PyValue | undefined;
  /** Writes a value by its spec. */
  write(value: PyValue, spec: string): string;
}

/** One replacement field, taken apart. */
interface Field {
  readonly name: string;
  readonly conversion: string | undefined;
  readonly spec: string;
  /** Where the text goes on. */
  readonly end: number;
}

const MOST_DEPTH = 2;

/** Fills the fields of a text. Throws `PyError` for braces that do not match, unknown names and wrong specs. */
export function strFormat(format: string, args: FormatArguments): string {
  return new Formatter(args).run(format, MOST_DEPTH);
}

class Formatter {
  readonly #args: FormatArguments;
  /** The next number of a field without a name; negative once a field had a number. */
  #next = 0;

  constructor(args: FormatArguments) {
    this.#args = args;
  }

  run(format: string, depth: number): string {
    if (depth < 1) throw runtimeError("Max string recursion exceeded");
    let result = "";
    let at = 0;
    while (at < format.length) {
      const brace = nextBrace(format, at);
      result += format.slice(at, brace);
      if (brace === format.length) break;
      const char = format.charAt(brace);
      if (format.charAt(brace + 1) === char) {
        result += char;
        at = brace + 2;
        continue;
      }
      if (char === "}") throw runtimeError("Single '}' encountered in format string");
      const field = readField(format, brace + 1);
      result += this.#fill(field, depth);
      checkStringLength(result.length);
      at = field.end;
    }
    return result;
  }

  #fill({ name, conversion, spec }: Field, depth: number): string {
    const value = converted(this.#value(name), conversion);
    return this.#args.write(
      value,
      spec.includes("{") || spec.includes("}") ? this.run(spec, depth - 1) : spec,
    );
  }

  #value(name: string): PyValue {
    const [first = ""] = /^[^.[]*/.exec(name) ?? [];
    let value = this.#argument(first);
    for (const step of steps(name.slice(first.length))) {
      value = step.attribute ? attribute(value, step.key) : strictItem(value, step.index ?? step.key);
    }
    return value;
  }

  #argument(name: string): PyValue {
    if (name !== "" && !/^\d+$/.test(name)) {
      const value = this.#args.named(name);
      if (value === undefined) throw runtimeError(repr(name));
      return value;
    }
    const { positional } = this.#args;
    if (positional === undefined) throw runtimeError("Format string contains positional fields");
    const index = this.#index(name);
    const value = positional[index];
    if (value === undefined) {
      throw runtimeError(`Replacement index ${index} out of range for positional args tuple`);
    }
    return value;
  }

  #index(name: string): number {
    const automatic = name === "";
    if (this.#next !== 0 && automatic !== this.#next > 0) {
      const [from, to] = automatic
        ? ["manual field specification", "automatic field numbering"]
        : ["automatic field numbering", "manual field specification"];
      throw runtimeError(`cannot switch from ${from} to ${to}`);
    }
    if (automatic) return this.#next++;
    this.#next = -1;
    const index = Number(name);
    if (!Number.isSafeInteger(index)) throw runtimeError("Too many decimal digits in format string");
    return index;
  }
}

function nextBrace(format: string, from: number): number {
  for (let at = from; at < format.length; at++) {
    const char = format.charCodeAt(at);
    if (char === 0x7b || char === 0x7d) return at;
  }
  return format.length;
}

/** Reads the field whose inside begins at `start`. Brackets of an item may hold anything, braces of a spec nest. */
function readField(format: string, start: number): Field {
  let at = start;
  while (at < format.length && !"{}:!".includes(format.charAt(at))) {
    if (format.charAt(at) === "[") {
      const close = format.indexOf("]", at);
      if (close < 0) throw runtimeError("expected '}' before end of string");
      at = close;
    }
    at++;
  }
  const name = format.slice(start, at);
  if (at >= format.length) {
    throw runtimeError(
      name === "" ? "Single '{' encountered in format string" : "expected '}' before end of string",
    );
  }
  if (format.charAt(at) === "{") throw runtimeError("unexpected '{' in field name");
  let conversion: string | undefined;
  if (format.charAt(at) === "!") {
    const [char = ""] = format.slice(at + 1, at + 3);
    conversion = char;
    at += 1 + char.length;
    const after = format.charAt(at);
    if (char === "" || after === "" || char === "}") throw runtimeError("unmatched '{' in format spec");
    if (after !== ":" && after !== "}") throw runtimeError("expected ':' after conversion specifier");
  }
  if (format.charAt(at) === "}") return { name, conversion, spec: "", end: at + 1 };
  const end = specEnd(format, at + 1);
  return { name, conversion, spec: format.slice(at + 1, end), end: end + 1 };
}

function specEnd(format: string, start: number): number {
  let depth = 1;
  for (let at = start; at < format.length; at++) {
    const char = format.charAt(at);
    if (char === "{") depth++;
    if (char === "}" && --depth === 0) return at;
  }
  throw runtimeError("unmatched '{' in format spec");
}

interface Step {
  readonly attribute: boolean;
  readonly key: string;
  /** The key as a number, where it is one. */
  readonly index: number | undefined;
}

/** `.name` and `[key]`, one after another. */
function* steps(path: string): Generator<Step> {
  let at = 0;
  while (at < path.length) {
    const attribute = path.charAt(at) === ".";
    if (!attribute && path.charAt(at) !== "[") {
      throw runtimeError("Only '.' or '[' may follow ']' in format field specifier");
    }
    const [key = ""] = (attribute ? /^[^.[]*/ : /^[^\]]*/).exec(path.slice(at + 1)) ?? [];
    at += 1 + key.length;
    if (!attribute && path.charAt(at++) !== "]") throw runtimeError("Missing ']' in format string");
    if (key === "") throw runtimeError("Empty attribute in format string");
    yield { attribute, key, index: /^\d+$/.test(key) ? Number(key) : undefined };
  }
}

function attribute(value: PyValue, name: string): PyValue {
  if (value instanceof Undefined) throw value.error();
  const found = dataAttribute(value, name);
  if (found === undefined) throw runtimeError(`'${typeName(value)}' object has no attribute '${name}'`);
  return found;
}

function converted(value: PyValue, conversion: string | undefined): PyValue {
  switch (conversion) {
    case undefined:
      return value;
    case "s":
      return str(value);
    case "r":
      return repr(value);
    case "a":
      return asciiRepr(value);
    default:
      throw runtimeError(`Unknown conversion specifier ${conversion}`);
  }
}
