/**
 * Attributes that are data, not methods: what a number, a range or one of our objects has. A name that begins with an
 * underscore never is an attribute: all of Python's inner workings are named so.
 */
import { intOf } from "./coerce.ts";
import { PyFloat, PyNamedTuple, PyObject, PyRange, type PyValue } from "./value.ts";

/** The attribute of a name, or undefined when there is none. */
export function dataAttribute(value: PyValue, name: string): PyValue | undefined {
  if (name.startsWith("_")) return undefined;
  if (value instanceof PyObject || value instanceof PyNamedTuple) return value.attribute(name);
  if (value instanceof PyRange) return rangeAttribute(value, name);
  if (value instanceof PyFloat) return floatAttribute(value, name);
  const int = intOf(value);
  return int === undefined ? undefined : intAttribute(int, name);
}

function rangeAttribute(range: PyRange, name: string): PyValue | undefined {
  switch (name) {
    case "start":
      return range.start;
    case "stop":
      return range.stop;
    case "step":
      return range.step;
    default:
      return undefined;
  }
}

function floatAttribute(float: PyFloat, name: string): PyValue | undefined {
  if (name === "real") return float;
  return name === "imag" ? new PyFloat(0) : undefined;
}

function intAttribute(int: number | bigint, name: string): PyValue | undefined {
  switch (name) {
    case "real":
    case "numerator":
      return int;
    case "imag":
      return 0;
    case "denominator":
      return 1;
    default:
      return undefined;
  }
}
