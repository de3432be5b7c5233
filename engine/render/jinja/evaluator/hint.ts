/**
 * "Did you mean": an undefined value that, when its use raises an error, looks for a name like the one that was asked
 * for, among the names in sight or the keys of the object. Nothing is looked for as long as no error is raised.
 */
import { didYouMean } from "../errors.ts";
import {
  PyDict,
  PyError,
  type PyValue,
  Undefined,
  type UndefinedInfo,
  type UndefinedKind,
} from "../values/mod.ts";

/** An undefined value that knows which names there are. */
export class HintingUndefined extends Undefined {
  readonly #known: () => Iterable<string>;

  constructor(kind: UndefinedKind, info: UndefinedInfo, known: () => Iterable<string>) {
    super(kind, info);
    this.#known = known;
  }

  override error(): PyError {
    const { name } = this.info;
    const error = super.error();
    if (typeof name !== "string") return error;
    return new PyError(error.kind, error.message, didYouMean(name, this.#known()));
  }
}

/** The names of what can be found in an object, as far as it is a mapping. */
export function keysOf(object: PyValue | undefined): Iterable<string> {
  if (!(object instanceof PyDict)) return [];
  return [...object.keys()].filter((key) => typeof key === "string");
}
