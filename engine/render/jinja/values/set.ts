/**
 * A set: what `d.keys() - e.keys()` gives, the one way to come by a set in a template. Python prints sets in an order of
 * chance; here it is the order in which the items came.
 */
import { PyDict } from "./dict.ts";
import { PyObject, type PyValue, type WriteNested } from "./value.ts";

/** A set that does not change. */
export class PySet extends PyObject {
  readonly #items = new PyDict();

  constructor(items: Iterable<PyValue>) {
    super();
    for (const item of items) this.#items.set(item, null);
  }

  override get typeName(): string {
    return "set";
  }

  override get module(): string {
    return "";
  }

  /** The items that are not among others. */
  without(others: Iterable<PyValue>): PySet {
    const left = new PyDict();
    for (const item of this.#items.keys()) left.set(item, null);
    for (const other of others) left.delete(other);
    return new PySet(left.keys());
  }

  override length(): number {
    return this.#items.size;
  }

  override iterate(): Iterable<PyValue> {
    return this.#items.keys();
  }

  override toRepr(nested: WriteNested): string {
    if (this.#items.size === 0) return "set()";
    return `{${Array.from(this.#items.keys(), nested).join(", ")}}`;
  }
}
