/**
 * `pprint`: what does not fit on a line of 80 characters is written with one item on each line, long texts are broken
 * between words, and dicts are sorted by their keys.
 */
import { charLength } from "../values/code_points.ts";
import { PyError } from "../values/error.ts";
import { checkStringLength } from "../values/limits.ts";
import { lt, PyDict, PyTuple, type PyValue, repr, typeName } from "../values/mod.ts";
import { stringRepr } from "../values/string_repr.ts";
import { splitLines } from "../values/string_split.ts";
import { SPACE } from "../values/unicode.ts";
import { PyNamedTuple } from "../values/value.ts";

const WIDTH = 80;
const WORD_AND_SPACE = new RegExp(`[^${SPACE}]+[${SPACE}]*|[${SPACE}]+`, "g");

/** Where something is written. */
interface Spot {
  /** Columns before it. */
  readonly indent: number;
  /** Columns that have to stay free behind it. */
  readonly allowance: number;
  /** How deep it is. */
  readonly level: number;
}

/** The value as text on one or several lines. Throws `PyError` when the text would be too long. */
export function prettyPrint(value: PyValue): string {
  return new PrettyPrinter().write(value, { indent: 0, allowance: 0, level: 0 });
}

class PrettyPrinter {
  readonly #open = new Set<PyValue>();

  write(value: PyValue, spot: Spot): string {
    if (this.#open.has(value)) return recursion(value);
    const flat = this.#flat(value);
    checkStringLength(flat.length + spot.indent);
    if (charLength(flat) <= WIDTH - spot.indent - spot.allowance) return flat;
    const inner = { ...spot, level: spot.level + 1 };
    if (typeof value === "string") return brokenText(value, inner);
    this.#open.add(value);
    const text = this.#broken(value, inner);
    this.#open.delete(value);
    return text ?? flat;
  }

  #broken(value: PyValue, spot: Spot): string | undefined {
    if (Array.isArray(value)) return `[${this.#items(value, spot, 1)}]`;
    if (isPlainTuple(value)) {
      const end = value.items.length === 1 ? ",)" : ")";
      return `(${this.#items(value.items, spot, end.length)}${end}`;
    }
    return value instanceof PyDict ? `{${this.#pairs(value, spot)}}` : undefined;
  }

  #items(items: readonly PyValue[], spot: Spot, closing: number): string {
    const indent = spot.indent + 1;
    return items.map((item, i) => {
      const allowance = i === items.length - 1 ? spot.allowance + closing : 1;
      return this.write(item, { indent, allowance, level: spot.level });
    }).join(`,\n${" ".repeat(indent)}`);
  }

  #pairs(dict: PyDict, spot: Spot): string {
    const indent = spot.indent + 1;
    return sortedPairs(dict).map(([key, value], i) => {
      const name = this.#flat(key);
      const allowance = i === dict.size - 1 ? spot.allowance + 1 : 1;
      return `${name}: ${
        this.write(value, { indent: indent + charLength(name) + 2, allowance, level: spot.level })
      }`;
    }).join(`,\n${" ".repeat(indent)}`);
  }

  /** `repr`, with dicts sorted. */
  #flat(value: PyValue): string {
    if (!(Array.isArray(value) || isPlainTuple(value) || value instanceof PyDict)) return repr(value);
    if (this.#open.has(value)) return recursion(value);
    this.#open.add(value);
    const text = this.#flatContainer(value);
    this.#open.delete(value);
    checkStringLength(text.length);
    return text;
  }

  #flatContainer(value: PyValue[] | PyTuple | PyDict): string {
    if (Array.isArray(value)) return `[${value.map((item) => this.#flat(item)).join(", ")}]`;
    if (value instanceof PyTuple) {
      const items = value.items.map((item) => this.#flat(item));
      return items.length === 1 ? `(${items[0]},)` : `(${items.join(", ")})`;
    }
    const pairs = sortedPairs(value).map(([key, item]) => `${this.#flat(key)}: ${this.#flat(item)}`);
    return `{${pairs.join(", ")}}`;
  }
}

/** Tuples with names print by their own `repr`, which `pprint` leaves alone. */
function isPlainTuple(value: PyValue): value is PyTuple {
  return value instanceof PyTuple && !(value instanceof PyNamedTuple);
}

function recursion(value: PyValue): string {
  return `<Recursion on ${typeName(value)}>`;
}

/** By key; keys without an order are sorted by their type. */
function sortedPairs(dict: PyDict): [PyValue, PyValue][] {
  return Array.from(dict.entries()).sort(([a], [b]) => comesBefore(a, b) ? -1 : comesBefore(b, a) ? 1 : 0);
}

function comesBefore(a: PyValue, b: PyValue): boolean {
  try {
    return lt(a, b);
  } catch (error) {
    if (!(error instanceof PyError) || error.kind !== "type") throw error;
    return typeName(a) < typeName(b);
  }
}

/** A text as several literals, one below the other; in parentheses where it stands alone. */
function brokenText(text: string, { indent, allowance, level }: Spot): string {
  const alone = level === 1 ? 1 : 0;
  const room = WIDTH - indent - alone;
  const lines = splitLines(text, true);
  const literals = lines.flatMap((line, i) =>
    brokenLine(line, { room, reserved: i === lines.length - 1 ? allowance + alone : 0 })
  );
  if (literals.length === 1) return stringRepr(lines.at(-1) ?? "");
  const body = literals.join(`\n${" ".repeat(indent + alone)}`);
  return alone === 1 ? `(${body})` : body;
}

function brokenLine(
  line: string,
  { room, reserved }: { readonly room: number; readonly reserved: number },
): string[] {
  const whole = stringRepr(line);
  if (charLength(whole) <= room - reserved) return [whole];
  const parts = line.match(WORD_AND_SPACE) ?? [];
  const literals: string[] = [];
  let current = "";
  parts.forEach((part, i) => {
    const most = i === parts.length - 1 ? room - reserved : room;
    if (charLength(stringRepr(current + part)) <= most) {
      current += part;
      return;
    }
    if (current !== "") literals.push(stringRepr(current));
    current = part;
  });
  if (current !== "") literals.push(stringRepr(current));
  return literals;
}
