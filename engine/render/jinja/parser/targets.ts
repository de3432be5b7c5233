/**
 * Left sides of assignments: a name, a tuple of targets, and with `set` an attribute of a namespace. Everything else
 * that parses as an expression there is refused by the name of its kind, as Jinja2 does.
 */
import type { Expr, NamespaceTarget, NameTarget, Target } from "../tree.ts";
import { isConstantName, parsePrimary, parseTuple } from "./expressions.ts";
import type { TokenStream } from "./token_stream.ts";

/** How {@link parseTarget} reads. */
export interface TargetOptions {
  /** `namespace.attribute` may be written. */
  readonly allowNamespace?: boolean;
}

/** A target: one name or several, parted by commas. */
export function parseTarget(stream: TokenStream, options: TargetOptions = {}): Target {
  const namespaces = new Map<Expr, NamespaceTarget>();
  const item = (items: TokenStream): Expr => {
    if (options.allowNamespace !== true || !items.at("name") || items.look().type !== "dot") {
      return parsePrimary(items);
    }
    const place = items.next();
    if (isConstantName(place.value)) throw items.error("can't assign to 'const'", place);
    items.next();
    const attribute = items.expect("name").value;
    const stand: Expr = { kind: "name", name: place.value, place };
    namespaces.set(stand, { kind: "target_namespace", name: place.value, attribute, place });
    return stand;
  };
  const expr = parseTuple(stream, { item });
  const target = asTarget(expr, namespaces);
  if (target === undefined) {
    throw stream.error(`can't assign to '${expr.kind}'`, { ...stream.current, ...expr.place });
  }
  return target;
}

/** A single name that is written. */
export function parseNameTarget(stream: TokenStream): NameTarget {
  const place = stream.expect("name");
  if (isConstantName(place.value)) throw stream.error("can't assign to 'name'", place);
  return { kind: "target_name", name: place.value, place };
}

function asTarget(expr: Expr, namespaces: ReadonlyMap<Expr, NamespaceTarget>): Target | undefined {
  const namespace = namespaces.get(expr);
  if (namespace !== undefined) return namespace;
  if (expr.kind === "name") return { kind: "target_name", name: expr.name, place: expr.place };
  if (expr.kind !== "tuple") return undefined;
  const items: Target[] = [];
  for (const part of expr.items) {
    const item = asTarget(part, namespaces);
    if (item === undefined) return undefined;
    items.push(item);
  }
  return { kind: "target_tuple", items, place: expr.place };
}
