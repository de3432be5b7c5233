/** `namespace(...)`: the one object whose attributes a template may set. */
import { PyDict } from "./dict.ts";
import { PyObject, type PyValue, type WriteNested } from "./value.ts";

/** A namespace. */
export class PyNamespace extends PyObject {
  readonly #attributes = new PyDict();

  override get typeName(): string {
    return "Namespace";
  }

  override get module(): string {
    return "jinja2.utils";
  }

  /** The value of a name, or undefined. */
  get(name: string): PyValue | undefined {
    return this.#attributes.get(name);
  }

  set(name: PyValue, value: PyValue): void {
    this.#attributes.set(name, value);
  }

  override attribute(name: string): PyValue | undefined {
    return this.#attributes.get(name);
  }

  override toRepr(nested: WriteNested): string {
    return `<Namespace ${nested(this.#attributes)}>`;
  }
}
