/** `cycler(...)`: gives its items one after another, over and over. */
import { callBody } from "../values/arguments.ts";
import { runtimeError, typeError } from "../values/error.ts";
import { type Kwargs, PyCallable, PyObject, type PyValue } from "../values/mod.ts";

/** A cycler. */
export class Cycler extends PyObject {
  readonly #items: readonly PyValue[];
  #position = 0;

  constructor(items: readonly PyValue[]) {
    super();
    this.#items = items;
  }

  /** `cycler(*items)`. Throws `PyError` without items. */
  static make(args: readonly PyValue[], kwargs: Kwargs): Cycler {
    for (const name of kwargs.keys()) {
      throw typeError(`Cycler.__init__() got an unexpected keyword argument '${name}'`);
    }
    if (args.length === 0) throw runtimeError("at least one item has to be provided");
    return new Cycler(args);
  }

  override get typeName(): string {
    return "Cycler";
  }

  override get module(): string {
    return "jinja2.utils";
  }

  override attribute(name: string): PyValue | undefined {
    switch (name) {
      case "current":
        return this.#current();
      case "next":
        return this.#method("next", () => this.#next());
      case "reset":
        return this.#method("reset", () => {
          this.#position = 0;
          return null;
        });
      case "items":
        return [...this.#items];
      case "pos":
        return this.#position;
      default:
        return undefined;
    }
  }

  #method(name: string, body: () => PyValue): PyCallable {
    return new PyCallable(name, callBody({ name: `Cycler.${name}`, parameters: [] }, body));
  }

  #current(): PyValue {
    return this.#items[this.#position] ?? null;
  }

  #next(): PyValue {
    const item = this.#current();
    this.#position = (this.#position + 1) % this.#items.length;
    return item;
  }
}
