/**
 * The mini-language of `format()`: `[[fill]align][sign][z][#][0][width][grouping][.precision][type]`. A spec goes in as
 * text and comes out taken apart; format_number.ts and format_value.ts do what it says.
 */
import { charLength } from "./code_points.ts";
import { runtimeError } from "./error.ts";
import { checkStringLength } from "./limits.ts";

/** Where a text stands in a field that is wider; `=` puts the fill between sign and digits. */
export type Align = "<" | ">" | "^" | "=";

/** A spec, taken apart; absent is what was not given. */
export interface FormatSpec {
  readonly fill: string;
  readonly align: Align | undefined;
  readonly sign: "+" | "-" | " " | undefined;
  readonly noNegativeZero: boolean;
  readonly alternate: boolean;
  readonly zeroPadded: boolean;
  readonly width: number;
  readonly grouping: "," | "_" | undefined;
  readonly precision: number | undefined;
  /** The letter at the end, or an empty text. */
  readonly type: string;
}

const SPEC = /^(?:([\s\S])?([<>=^]))?([+\- ])?(z)?(#)?(0)?(\d+)?([,_])?(?:\.(\d*))?([\s\S])?$/u;

/** Takes a spec apart. Throws `PyError` for one that is none. @param type name of the type that is formatted */
export function parseFormatSpec(spec: string, type: string): FormatSpec {
  const match = SPEC.exec(spec);
  if (match === null) throw runtimeError(`Invalid format specifier '${spec}' for object of type '${type}'`);
  const [, fill, align, sign, z, alternate, zero, width, grouping, precision, letter = ""] = match;
  if (precision === "") throw runtimeError("Format specifier missing precision");
  if (grouping !== undefined) checkGrouping(grouping, letter);
  return {
    fill: fill ?? (zero === undefined ? " " : "0"),
    align: ALIGNS.find((one) => one === align),
    sign: SIGNS.find((one) => one === sign),
    noNegativeZero: z !== undefined,
    alternate: alternate !== undefined,
    zeroPadded: zero !== undefined,
    width: size(width) ?? 0,
    grouping: GROUPINGS.find((one) => one === grouping),
    precision: size(precision),
    type: letter,
  };
}

function checkGrouping(grouping: string, type: string): void {
  if (type !== grouping && (type === "," || type === "_")) {
    throw runtimeError("Cannot specify both ',' and '_'.");
  }
  const grouped = grouping === "_" ? "defgEGF%boxX" : "defgEGF%";
  if (!grouped.includes(type)) throw runtimeError(`Cannot specify '${grouping}' with '${type}'.`);
}

const ALIGNS = ["<", ">", "^", "="] as const;
const SIGNS = ["+", "-", " "] as const;
const GROUPINGS = [",", "_"] as const;

/** A width or precision. Throws `PyError` when it is larger than any text may be. */
function size(digits: string | undefined): number | undefined {
  if (digits === undefined) return undefined;
  const count = Number(digits);
  if (!Number.isSafeInteger(count)) throw runtimeError("Too many decimal digits in format string");
  checkStringLength(count);
  return count;
}

/** Puts a text into a field. */
export function padText(text: string, spec: Pick<FormatSpec, "fill" | "width">, align: Align): string {
  const missing = spec.width - charLength(text);
  if (missing <= 0) return text;
  checkStringLength(text.length + missing * spec.fill.length);
  const left = align === "<" ? 0 : align === "^" ? Math.floor(missing / 2) : missing;
  return spec.fill.repeat(left) + text + spec.fill.repeat(missing - left);
}
