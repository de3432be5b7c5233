/** `format(value, spec)`: each type has its own way to be formatted, and most have none but to be printed. */
import { intOf, textOf } from "./coerce.ts";
import { charSlice } from "./code_points.ts";
import { runtimeError, typeError } from "./error.ts";
import { formatFloat, formatInt } from "./format_number.ts";
import { type FormatSpec, padText, parseFormatSpec } from "./format_spec.ts";
import { str } from "./repr.ts";
import { typeName } from "./type_name.ts";
import { PyFloat, type PyValue } from "./value.ts";

/** The value as text by a spec. Throws `PyError` for a spec that is none, or none for this type. */
export function formatValue(value: PyValue, spec: string): string {
  if (spec === "") return str(value);
  const text = textOf(value);
  const type = typeName(value);
  if (text !== undefined) return formatText(text, parseFormatSpec(spec, type), type);
  if (value instanceof PyFloat) return formatFloat(value.value, parseFormatSpec(spec, type), type);
  const int = intOf(value);
  if (int !== undefined) return formatInt(int, parseFormatSpec(spec, type), type);
  throw typeError(`unsupported format string passed to ${type}.__format__`);
}

function formatText(text: string, spec: FormatSpec, type: string): string {
  if (spec.type !== "" && spec.type !== "s") {
    throw runtimeError(`Unknown format code '${spec.type}' for object of type '${type}'`);
  }
  const refused = notForText(spec);
  if (refused !== undefined) throw runtimeError(refused);
  const cut = spec.precision === undefined ? text : charSlice(text, 0, spec.precision);
  return padText(cut, spec, spec.align ?? "<");
}

function notForText(spec: FormatSpec): string | undefined {
  if (spec.sign === " ") return "Space not allowed in string format specifier";
  if (spec.sign !== undefined) return "Sign not allowed in string format specifier";
  if (spec.noNegativeZero) return "Negative zero coercion (z) not allowed in string format specifier";
  if (spec.alternate) return "Alternate form (#) not allowed in string format specifier";
  if (spec.grouping !== undefined) return `Cannot specify '${spec.grouping}' with 's'.`;
  return spec.align === "=" ? "'=' alignment not allowed in string format specifier" : undefined;
}
