/** Calling a value. */
import { typeError } from "./error.ts";
import { typeName } from "./type_name.ts";
import { Undefined } from "./undefined.ts";
import { type FilterEnv, type Kwargs, PyCallable, PyObject, type PyValue } from "./value.ts";

/** Calls a value with positional and named arguments. Throws `PyError` where it cannot be called. */
export function callValue(
  callee: PyValue,
  args: readonly PyValue[],
  kwargs: Kwargs,
  env: FilterEnv,
): PyValue {
  if (callee instanceof PyCallable) return callee.call(args, kwargs, env);
  if (callee instanceof PyObject && callee.call !== undefined) return callee.call(args, kwargs, env);
  if (callee instanceof Undefined) throw callee.error();
  throw typeError(`'${typeName(callee)}' object is not callable`);
}

/** Whether a value can be called. */
export function isCallable(value: PyValue): boolean {
  return value instanceof PyCallable || (value instanceof PyObject && value.call !== undefined);
}
