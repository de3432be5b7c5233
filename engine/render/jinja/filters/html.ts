/** Filters that make or unmake HTML. */
import { define, defineBuiltin } from "../values/arguments.ts";
import { textOf } from "../values/coerce.ts";
import { runtimeError, typeError } from "../values/error.ts";
import { checkStringLength } from "../values/limits.ts";
import { escapeText, stripTags } from "../values/markup.ts";
import {
  escape,
  type Filter,
  Markup,
  PyDict,
  type PyValue,
  repr,
  str,
  truthy,
  typeName,
  Undefined,
} from "../values/mod.ts";

/** Filters of HTML. */
export const htmlFilters: readonly Filter[] = [
  defineBuiltin("escape", ["s"], (_env, value) => escape(value)),
  defineBuiltin("e", ["s"], (_env, value) => escape(value)),
  define("forceescape", ["value"], (_env, value) => new Markup(escapeText(str(value)))),
  define("safe", ["value"], (_env, value) => new Markup(str(value))),
  define("striptags", ["value"], (_env, value) => stripTags(str(value))),
  define("xmlattr", ["d", ["autospace", true]], (env, value, autospace) => {
    const text = attributes(value, truthy(autospace));
    return env.autoescape ? new Markup(text) : text;
  }),
];

/** Characters that would end the name of an attribute. */
const NOT_IN_NAME = /[ \t\n\r\f\v/>=]/;

function attributes(value: PyValue, autospace: boolean): string {
  if (value instanceof Undefined) throw value.error();
  if (!(value instanceof PyDict)) throw runtimeError(`'${typeName(value)}' object has no attribute 'items'`);
  const written: string[] = [];
  for (const [key, item] of value.entries()) {
    if (item === null || item instanceof Undefined) continue;
    const name = textOf(key);
    if (name === undefined) throw typeError(`expected string or bytes-like object, got '${typeName(key)}'`);
    if (NOT_IN_NAME.test(name)) throw runtimeError(`Invalid character in attribute name: ${repr(key)}`);
    written.push(`${escape(key).text}="${escape(item).text}"`);
  }
  const text = written.join(" ");
  checkStringLength(text.length + 1);
  return autospace && text !== "" ? ` ${text}` : text;
}
