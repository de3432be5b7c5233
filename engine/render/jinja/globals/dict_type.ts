/** `dict(...)`: a dict of pairs and names. */
import { wrongCount } from "../values/arguments.ts";
import { type Kwargs, PyCallable, PyDict, type PyValue } from "../values/mod.ts";
import { dictFromKeys, updateDict } from "../values/methods/dict_methods.ts";
import { GlobalType } from "./global_type.ts";

/** The class `dict`. */
export class DictType extends GlobalType {
  constructor() {
    super("dict", makeDict);
  }

  override attribute(name: string): PyValue | undefined {
    if (name !== "fromkeys") return undefined;
    return new PyCallable("fromkeys", (args) => {
      const [keys, value = null] = args;
      if (keys === undefined || args.length > 2) {
        throw wrongCount("fromkeys", { least: 1, most: 2 }, args.length);
      }
      return dictFromKeys(keys, value);
    });
  }
}

/** `dict(source, **names)`. Throws `PyError` for a source that is no dict and holds no pairs. */
export function makeDict(args: readonly PyValue[], kwargs: Kwargs): PyDict {
  if (args.length > 1) throw wrongCount("dict", { least: 0, most: 1 }, args.length);
  const made = new PyDict();
  updateDict(made, args[0], kwargs);
  return made;
}
