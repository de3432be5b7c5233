/**
 * The children of a node, in the order in which Jinja2 visits them; the analysis of names depends on that order. Writes
 * of names and parameters of macros are children too, so that a visitor sees every mention of a name.
 */
import type { Arguments, Branch, Data, Expr, Parameter, Slice, Statement, Target } from "../tree.ts";

/** A parameter as a visitor meets it. */
export interface ParameterName {
  readonly kind: "parameter";
  readonly name: string;
}

/** Whatever a visitor can meet. */
export type AnyNode = Statement | Expr | Target | Slice | Data | ParameterName | BranchNode;

/** A branch of an `if` as a visitor meets it. */
export interface BranchNode {
  readonly kind: "branch";
  readonly branch: Branch;
}

const NONE: readonly AnyNode[] = [];

/** The children of a node in visiting order. */
export function childrenOf(node: AnyNode): readonly AnyNode[] {
  switch (node.kind) {
    case "const":
    case "name":
    case "data":
    case "parameter":
    case "target_name":
    case "target_namespace":
      return NONE;
    case "list":
    case "tuple":
    case "concat":
    case "target_tuple":
    case "output":
      return node.items;
    case "dict":
      return node.pairs.flatMap(({ key, value }) => [key, value]);
    case "binary":
    case "and":
    case "or":
      return [node.left, node.right];
    case "not":
    case "neg":
    case "pos":
      return [node.operand];
    case "compare":
      return [node.first, ...node.rest.map(({ operand }) => operand)];
    case "condition":
      return present(node.test, node.then, node.otherwise);
    case "getattr":
      return [node.object];
    case "getitem":
      return [node.object, node.key];
    case "slice":
      return present(node.start, node.stop, node.step);
    case "call":
      return [node.callee, ...argumentsOf(node.args)];
    case "filter":
    case "test":
      return [...present(node.input), ...argumentsOf(node.args)];
    case "branch":
      return [node.branch.test, ...node.branch.body];
    case "if":
      return [...node.branches.map((branch): BranchNode => ({ kind: "branch", branch })), ...node.otherwise];
    case "for":
      return [node.target, node.items, ...node.body, ...node.otherwise, ...present(node.test)];
    case "macro":
      return [...parametersOf(node.parameters), ...node.body];
    case "call_block":
      return [node.call, ...parametersOf(node.parameters), ...node.body];
    case "filter_block":
      return [...node.body, node.filter];
    case "set":
      return [node.target, node.value];
    case "set_block":
      return [node.target, ...present(node.filter), ...node.body];
    case "with":
      return [
        ...node.bindings.map(({ target }) => target),
        ...node.bindings.map(({ value }) => value),
        ...node.body,
      ];
    case "autoescape":
      return [node.value, ...node.body];
    case "block":
      return node.body;
    case "extends":
    case "include":
    case "import":
    case "from_import":
      return [node.template];
  }
}

/** Parameters and their defaults, in visiting order. */
export function parametersOf(parameters: readonly Parameter[]): AnyNode[] {
  return [
    ...parameters.map(({ name }): ParameterName => ({ kind: "parameter", name })),
    ...parameters.flatMap(({ fallback }) => present(fallback)),
  ];
}

function argumentsOf(args: Arguments): AnyNode[] {
  return [
    ...args.positional,
    ...args.named.map(({ value }) => value),
    ...present(args.spread, args.spreadNamed),
  ];
}

function present(...nodes: readonly (Expr | undefined)[]): Expr[] {
  return nodes.filter((node) => node !== undefined);
}

/** Which of `names` are read in `nodes` before anything there writes them; blocks inside are not looked into. */
export function undeclaredNames(nodes: readonly AnyNode[], names: readonly string[]): ReadonlySet<string> {
  const wanted = new Set(names);
  const found = new Set<string>();
  const visit = (node: AnyNode): void => {
    if (node.kind === "block") return;
    if (node.kind === "name" && wanted.has(node.name)) found.add(node.name);
    else if (node.kind === "parameter" || node.kind === "target_name") wanted.delete(node.name);
    for (const child of childrenOf(node)) visit(child);
  };
  for (const node of nodes) visit(node);
  return found;
}

/** All nodes at and below `nodes` that `accept` takes, in visiting order. */
export function findAll<T extends AnyNode>(
  nodes: readonly AnyNode[],
  accept: (node: AnyNode) => node is T,
): T[] {
  const found: T[] = [];
  const visit = (node: AnyNode): void => {
    if (accept(node)) found.push(node);
    for (const child of childrenOf(node)) visit(child);
  };
  for (const node of nodes) visit(node);
  return found;
}
