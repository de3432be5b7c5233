/**
 * What `keys()`, `values()` and `items()` of a dict give: a view that follows the dict and can be gone over again and
 * again.
 */
import type { PyDict } from "./dict.ts";
import { runtimeError } from "./error.ts";
import { PyTuple, type PyValue, type WriteNested } from "./value.ts";

/** A part of a dict that a view shows. */
export type DictPart = "keys" | "values" | "items";

/** A view of a dict. */
export class DictView {
  readonly dict: PyDict;
  readonly part: DictPart;

  constructor(dict: PyDict, part: DictPart) {
    this.dict = dict;
    this.part = part;
  }

  get typeName(): string {
    return `dict_${this.part}`;
  }

  /** Throws `PyError` when the dict grows or shrinks on the way. */
  *[Symbol.iterator](): Generator<PyValue> {
    const { dict } = this;
    const { size } = dict;
    for (const item of this.#items()) {
      if (dict.size !== size) throw runtimeError("dictionary changed size during iteration");
      yield item;
    }
    if (dict.size !== size) throw runtimeError("dictionary changed size during iteration");
  }

  toRepr(nested: WriteNested): string {
    return `${this.typeName}([${Array.from(this.#items(), nested).join(", ")}])`;
  }

  #items(): Iterable<PyValue> {
    if (this.part === "keys") return this.dict.keys();
    if (this.part === "values") return this.dict.values();
    return items(this.dict);
  }
}

function* items(dict: PyDict): Generator<PyValue> {
  for (const pair of dict.entries()) yield new PyTuple(pair);
}
