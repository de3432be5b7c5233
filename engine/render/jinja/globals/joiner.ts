/** `joiner(sep)`: an empty text on the first call and the separator on all others. */
import { bindArguments } from "../values/arguments.ts";
import { type Kwargs, PyObject, type PyValue } from "../values/mod.ts";

/** A joiner. */
export class Joiner extends PyObject {
  readonly #separator: PyValue;
  #used = false;

  constructor(separator: PyValue) {
    super();
    this.#separator = separator;
  }

  /** `joiner(sep=", ")`. */
  static make(args: readonly PyValue[], kwargs: Kwargs): Joiner {
    const [separator = ", "] = bindArguments(
      { name: "Joiner.__init__", parameters: [["sep", ", "]] },
      args,
      kwargs,
    );
    return new Joiner(separator);
  }

  override get typeName(): string {
    return "Joiner";
  }

  override get module(): string {
    return "jinja2.utils";
  }

  override attribute(name: string): PyValue | undefined {
    return name === "sep" ? this.#separator : name === "used" ? this.#used : undefined;
  }

  override call(args: readonly PyValue[], kwargs: Kwargs): PyValue {
    bindArguments({ name: "Joiner.__call__", parameters: [] }, args, kwargs);
    if (this.#used) return this.#separator;
    this.#used = true;
    return "";
  }
}
