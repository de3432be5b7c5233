/** `namespace(...)`: an object whose attributes a template may set; takes what `dict(...)` takes. */
import { type Kwargs, PyNamespace, type PyValue } from "../values/mod.ts";
import { makeDict } from "./dict_type.ts";

/** Makes a namespace. */
export function makeNamespace(args: readonly PyValue[], kwargs: Kwargs): PyNamespace {
  const namespace = new PyNamespace();
  for (const [name, value] of makeDict(args, kwargs).entries()) namespace.set(name, value);
  return namespace;
}
