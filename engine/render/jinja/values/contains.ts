/** The operator `in`. */
import { sameOrEqual } from "./compare.ts";
import { textOf } from "./coerce.ts";
import { PyDict } from "./dict.ts";
import { DictView } from "./dict_view.ts";
import { typeError } from "./error.ts";
import { iterate } from "./sequence.ts";
import { typeName } from "./type_name.ts";
import { PyCallable, PyIterator, PyObject, PyTuple, type PyValue } from "./value.ts";

/** `item in container`. Throws `PyError` where the container holds nothing, or nothing of this kind. */
export function contains(container: PyValue, item: PyValue): boolean {
  const text = textOf(container);
  if (text !== undefined) return text.includes(partOfText(item));
  if (container instanceof PyDict) return container.has(item);
  if (container instanceof DictView && container.part !== "values") return viewContains(container, item);
  refuseUncountable(container);
  for (const candidate of iterate(container)) {
    if (sameOrEqual(candidate, item)) return true;
  }
  return false;
}

function partOfText(item: PyValue): string {
  const text = textOf(item);
  if (text !== undefined) return text;
  throw typeError(`'in <string>' requires string as left operand, not ${typeName(item)}`);
}

function viewContains(view: DictView, item: PyValue): boolean {
  if (view.part === "keys") return view.dict.has(item);
  if (!(item instanceof PyTuple) || item.items.length !== 2) return false;
  const [key = null, value = null] = item.items;
  const found = view.dict.get(key);
  return found !== undefined && sameOrEqual(found, value);
}

function refuseUncountable(container: PyValue): void {
  const holdsNothing = typeof container !== "object" || container === null ||
    container instanceof PyCallable ||
    (container instanceof PyObject && container.iterate === undefined) || typeName(container) === "float";
  if (holdsNothing && !(container instanceof PyIterator)) {
    throw typeError(`argument of type '${typeName(container)}' is not iterable`);
  }
}
