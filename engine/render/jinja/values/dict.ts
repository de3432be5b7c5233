/**
 * A Python dict: keys in the order in which they came, equal by Python's rules. A key that is not its own hash key (a
 * float, a bool, a tuple, Markup) is kept beside, and the one that came first stays, as in Python.
 */
import { type HashKey, hashKey } from "./hash.ts";
import type { PyValue, WriteNested } from "./value.ts";

/** A dict. Every method that takes a key throws `PyError` for one that is unhashable. */
export class PyDict {
  readonly #values = new Map<HashKey, PyValue>();
  readonly #keys = new Map<HashKey, PyValue>();

  get typeName(): string {
    return "dict";
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: PyValue): PyValue | undefined {
    return this.#values.get(hashKey(key));
  }

  has(key: PyValue): boolean {
    return this.#values.has(hashKey(key));
  }

  set(key: PyValue, value: PyValue): void {
    const hash = hashKey(key);
    if (hash !== key && !this.#values.has(hash)) this.#keys.set(hash, key);
    this.#values.set(hash, value);
  }

  /** Whether the key was there. */
  delete(key: PyValue): boolean {
    const hash = hashKey(key);
    this.#keys.delete(hash);
    return this.#values.delete(hash);
  }

  clear(): void {
    this.#values.clear();
    this.#keys.clear();
  }

  *keys(): Generator<PyValue> {
    for (const hash of this.#values.keys()) yield this.#keyOf(hash);
  }

  values(): Iterable<PyValue> & Iterator<PyValue> {
    return this.#values.values();
  }

  *entries(): Generator<[PyValue, PyValue]> {
    for (const [hash, value] of this.#values) yield [this.#keyOf(hash), value];
  }

  toRepr(nested: WriteNested): string {
    const pairs = Array.from(this.entries(), ([key, value]) => `${nested(key)}: ${nested(value)}`);
    return `{${pairs.join(", ")}}`;
  }

  /** Only strings, integers and objects are hash keys without being kept beside. */
  #keyOf(hash: HashKey): PyValue {
    if (this.#keys.size === 0) return hash;
    const kept = this.#keys.get(hash);
    return kept === undefined ? hash : kept;
  }
}
