/** A class of Python that templates can call to make an instance; nothing else of the class can be reached. */
import { type CallBody, type FilterEnv, type Kwargs, PyObject, type PyValue } from "../values/mod.ts";

/** A class. */
export class GlobalType extends PyObject {
  readonly #name: string;
  readonly #make: CallBody;

  /** @param name as Python writes it, with its module */
  constructor(name: string, make: CallBody) {
    super();
    this.#name = name;
    this.#make = make;
  }

  override get typeName(): string {
    return "type";
  }

  override get module(): string {
    return "";
  }

  override toRepr(): string {
    return `<class '${this.#name}'>`;
  }

  override call(args: readonly PyValue[], kwargs: Kwargs, env: FilterEnv): PyValue {
    return this.#make(args, kwargs, env);
  }
}
