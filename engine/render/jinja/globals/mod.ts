/** The global functions of Jinja2, by name. */
import { PyCallable, type PyValue } from "../values/mod.ts";
import { runtimeError } from "../values/error.ts";
import { Cycler } from "./cycler.ts";
import { DictType } from "./dict_type.ts";
import { Joiner } from "./joiner.ts";
import { GlobalType } from "./global_type.ts";
import { makeNamespace } from "./namespace.ts";
import { makeRange } from "./range.ts";

/** Every global function. None of them holds state, so all renders share them. */
export const globals: ReadonlyMap<string, PyValue> = new Map<string, PyValue>([
  ["range", new GlobalType("range", makeRange)],
  ["dict", new DictType()],
  ["cycler", new GlobalType("jinja2.utils.Cycler", (args, kwargs) => Cycler.make(args, kwargs))],
  ["joiner", new GlobalType("jinja2.utils.Joiner", (args, kwargs) => Joiner.make(args, kwargs))],
  ["namespace", new GlobalType("jinja2.utils.Namespace", makeNamespace)],
  [
    "lipsum",
    new PyCallable("generate_lorem_ipsum", () => {
      throw runtimeError("Templates are deterministic: the function 'lipsum' is not there");
    }),
  ],
]);
