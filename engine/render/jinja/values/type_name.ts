/** The names of Python's types, as messages say them. */
import type { PyValue } from "./value.ts";

/** The name of a value's class: `int`, `str`, `NoneType`, `dict_keys`. */
export function typeName(value: PyValue): string {
  if (value === null) return "NoneType";
  switch (typeof value) {
    case "string":
      return "str";
    case "number":
    case "bigint":
      return "int";
    case "boolean":
      return "bool";
    default:
      return Array.isArray(value) ? "list" : value.typeName;
  }
}

/** How Jinja2 names the object in which something was not found: `dict object`. */
export function objectTypeRepr(value: PyValue): string {
  if (value === null) return "None";
  const module = typeof value === "object" && "module" in value ? value.module : "";
  return `${module === "" ? "" : `${module}.`}${typeName(value)} object`;
}
