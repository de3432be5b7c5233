/** Parts of sequences: `sequence[start:stop:step]` and the index of one item, by Python's rules for negative ones. */
import { characters, charSlice, isPlain } from "./code_points.ts";
import { intOf, itemsOf, textOf } from "./coerce.ts";
import { PyDict } from "./dict.ts";
import { runtimeError, typeError } from "./error.ts";
import { typeName } from "./type_name.ts";
import { Undefined } from "./undefined.ts";
import { Markup, PyRange, PyTuple, type PyValue } from "./value.ts";

/** Which items of a sequence a slice takes: `count` of them from `start`, each `step` further. */
interface SliceRange {
  readonly start: number;
  readonly step: number;
  readonly count: number;
}

/** `value[start:stop:step]`; null stands for a bound that is not given. Throws `PyError` where there are no slices. */
export function slice(value: PyValue, start: PyValue, stop: PyValue, step: PyValue): PyValue {
  const text = textOf(value);
  if (text !== undefined) {
    const part = textSlice(text, start, stop, step);
    return value instanceof Markup ? new Markup(part) : part;
  }
  const items = itemsOf(value);
  if (items !== undefined) {
    const part = sliceItems(items, sliceRange(items.length, start, stop, step));
    return Array.isArray(value) ? part : new PyTuple(part);
  }
  if (value instanceof PyRange) {
    const range = sliceRange(value.length, start, stop, step);
    const first = value.at(range.start);
    const by = value.step * range.step;
    return new PyRange(first, first + by * range.count, by);
  }
  if (value instanceof Undefined) {
    if (value.kind === "chainable") return value;
    throw value.error();
  }
  if (value instanceof PyDict) throw typeError("unhashable type: 'slice'");
  throw typeError(`'${typeName(value)}' object is not subscriptable`);
}

function textSlice(text: string, start: PyValue, stop: PyValue, step: PyValue): string {
  const plain = isPlain(text);
  const chars = plain ? undefined : characters(text);
  const range = sliceRange(chars?.length ?? text.length, start, stop, step);
  if (range.step === 1) return charSlice(text, range.start, range.start + range.count);
  return sliceItems(chars ?? text.split(""), range).join("");
}

function sliceItems<T>(items: readonly T[], { start, step, count }: SliceRange): T[] {
  if (step === 1) return items.slice(start, start + count);
  const part: T[] = [];
  for (let i = 0; i < count; i++) {
    const item = items[start + i * step];
    if (item !== undefined) part.push(item);
  }
  return part;
}

function sliceRange(length: number, start: PyValue, stop: PyValue, step: PyValue): SliceRange {
  const by = step === null ? 1 : sliceBound(step);
  if (by === 0) throw runtimeError("slice step cannot be zero");
  const lowest = by > 0 ? 0 : -1;
  const highest = by > 0 ? length : length - 1;
  const clip = (bound: PyValue, otherwise: number): number => {
    if (bound === null) return otherwise;
    const index = sliceBound(bound);
    return Math.min(Math.max(index < 0 ? index + length : index, lowest), highest);
  };
  const from = clip(start, by > 0 ? lowest : highest);
  const to = clip(stop, by > 0 ? highest : lowest);
  return { start: from, step: by, count: Math.max(0, Math.ceil((to - from) / by)) };
}

/** Bounds beyond what any sequence has are as good as these. */
function sliceBound(bound: PyValue): number {
  const int = intOf(bound);
  if (int === undefined) {
    throw typeError("slice indices must be integers or None or have an __index__ method");
  }
  return Math.min(Math.max(Number(int), -Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}
