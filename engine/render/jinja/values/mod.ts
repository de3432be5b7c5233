/**
 * The values of templates and all that can be done with them. Values are data of JavaScript where that means the same
 * (null, boolean, string, array, safe integers) and instances of our own classes elsewhere; the functions are Python's
 * operators and built-ins, with Python's errors.
 */
export { type ErrorKind, PyError } from "./error.ts";
export {
  type CallBody,
  type Filter,
  type FilterEnv,
  type Kwargs,
  Markup,
  PyCallable,
  PyFloat,
  PyIterator,
  PyObject,
  PyRange,
  PyTuple,
  type PyValue,
  type Test,
  type WriteNested,
} from "./value.ts";
export { Undefined, type UndefinedInfo, type UndefinedKind } from "./undefined.ts";
export { PyDict } from "./dict.ts";
export { DictView } from "./dict_view.ts";
export { PyNamespace } from "./namespace.ts";
export { repr, str } from "./repr.ts";
export { typeName } from "./type_name.ts";
export { iterate, knownLength, length, truthy } from "./sequence.ts";
export { add, div, floordiv, mod, mul, neg, pos, pow, sub } from "./arithmetic.ts";
export { concat } from "./concat.ts";
export { eq, ge, gt, le, lt } from "./compare.ts";
export { contains } from "./contains.ts";
export { getAttr, getItem } from "./lookup.ts";
export { slice } from "./slice.ts";
export { callValue, isCallable } from "./call.ts";
export { escape } from "./markup.ts";
export { floatLiteral, intLiteral } from "./literal.ts";
export { hashKey } from "./hash.ts";
export { fromJson } from "./json_reader.ts";
export { fromPlain, type PlainValue, toPlain } from "./plain.ts";
export { LIMITS } from "./limits.ts";
