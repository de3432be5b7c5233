/** `format` and `format_map`, of str and of Markup, which escapes what it puts in. */
import { textOf } from "../coerce.ts";
import { runtimeError, typeError } from "../error.ts";
import { formatValue } from "../format_value.ts";
import { strictItem } from "../item.ts";
import { escape } from "../markup.ts";
import { type FormatArguments, strFormat } from "../str_format.ts";
import { Markup, type PyValue } from "../value.ts";
import type { Method } from "./method.ts";
import { wrongCount } from "../arguments.ts";

/** `str.format`. */
export const formatMethod: Method = {
  name: "format",
  call: (self, args, kwargs) => formatted(self, { positional: args, named: (name) => kwargs.get(name) }),
};

/** `str.format_map`. */
export const formatMapMethod: Method = {
  name: "format_map",
  call: (self, args, kwargs) => {
    const [mapping] = args;
    if (kwargs.size > 0) throw typeError("str.format_map() takes no keyword arguments");
    if (mapping === undefined || args.length > 1) {
      throw wrongCount("str.format_map", { least: 1, most: 1 }, args.length);
    }
    return formatted(self, { named: (name) => strictItem(mapping, name) });
  },
};

function formatted(
  self: PyValue,
  args: Omit<FormatArguments, "write">,
): PyValue {
  const format = textOf(self) ?? "";
  if (!(self instanceof Markup)) return strFormat(format, { ...args, write: formatValue });
  return new Markup(strFormat(format, { ...args, write: formatEscaped }));
}

function formatEscaped(value: PyValue, spec: string): string {
  if (!(value instanceof Markup)) return escape(formatValue(value, spec)).text;
  if (spec !== "") throw runtimeError("Unsupported format specification for Markup.");
  return value.text;
}
