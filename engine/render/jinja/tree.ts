/**
 * The tree of a template: what the parser makes and the compiler reads. Every node is plain data with its place, and
 * the kinds form closed unions, so that a `switch` over `kind` is checked to be complete. Names of kinds follow
 * Jinja2's own, since its documentation and error messages use them.
 */
import type { Place } from "./errors.ts";
import type { PyValue } from "./values/mod.ts";

/** An operator of two values besides comparison and logic. */
export type BinaryOperator = "add" | "sub" | "mul" | "div" | "floordiv" | "mod" | "pow";

/** A comparison; several of them chain as in Python. */
export type CompareOperator = "eq" | "ne" | "lt" | "lteq" | "gt" | "gteq" | "in" | "notin";

interface Node<K extends string> {
  readonly kind: K;
  readonly place: Place;
}

/** A literal: number, text, truth value or none. */
export interface Const extends Node<"const"> {
  readonly value: PyValue;
}

/** A variable that is read. */
export interface Name extends Node<"name"> {
  readonly name: string;
}

/** `[a, b]` and `(a, b)`. */
export interface Sequence extends Node<"list" | "tuple"> {
  readonly items: readonly Expr[];
}

/** `{a: b}`. */
export interface Dict extends Node<"dict"> {
  readonly pairs: readonly { readonly key: Expr; readonly value: Expr }[];
}

/** `a + b` and its like. */
export interface Binary extends Node<"binary"> {
  readonly operator: BinaryOperator;
  readonly left: Expr;
  readonly right: Expr;
}

/** `a and b`, `a or b`. */
export interface Logic extends Node<"and" | "or"> {
  readonly left: Expr;
  readonly right: Expr;
}

/** `not a`, `-a`, `+a`. */
export interface Unary extends Node<"not" | "neg" | "pos"> {
  readonly operand: Expr;
}

/** `a ~ b ~ c`. */
export interface Concat extends Node<"concat"> {
  readonly items: readonly Expr[];
}

/** `a < b <= c`. */
export interface Compare extends Node<"compare"> {
  readonly first: Expr;
  readonly rest: readonly { readonly operator: CompareOperator; readonly operand: Expr }[];
}

/** `a if test else b`. */
export interface Condition extends Node<"condition"> {
  readonly test: Expr;
  readonly then: Expr;
  readonly otherwise: Expr | undefined;
}

/** `a.b`. */
export interface Getattr extends Node<"getattr"> {
  readonly object: Expr;
  readonly name: string;
}

/** `a[b]`. */
export interface Getitem extends Node<"getitem"> {
  readonly object: Expr;
  readonly key: Expr | Slice;
}

/** `start:stop:step` inside a subscript. */
export interface Slice extends Node<"slice"> {
  readonly start: Expr | undefined;
  readonly stop: Expr | undefined;
  readonly step: Expr | undefined;
}

/** What stands in the parentheses of a call, filter or test. */
export interface Arguments {
  readonly positional: readonly Expr[];
  readonly named: readonly { readonly name: string; readonly value: Expr }[];
  /** `*a`. */
  readonly spread: Expr | undefined;
  /** `**a`. */
  readonly spreadNamed: Expr | undefined;
}

/** `a(...)`. */
export interface Call extends Node<"call"> {
  readonly callee: Expr;
  readonly args: Arguments;
}

/** `a|name(...)`; without `input` it takes what a filter block or a set block printed. */
export interface Filter extends Node<"filter"> {
  readonly input: Expr | undefined;
  readonly name: string;
  readonly args: Arguments;
}

/** `a is name(...)`. */
export interface Test extends Node<"test"> {
  readonly input: Expr;
  readonly name: string;
  readonly args: Arguments;
}

/** Whatever has a value. */
export type Expr =
  | Const
  | Name
  | Sequence
  | Dict
  | Binary
  | Logic
  | Unary
  | Concat
  | Compare
  | Condition
  | Getattr
  | Getitem
  | Call
  | Filter
  | Test;

/** A name that is written. */
export interface NameTarget extends Node<"target_name"> {
  readonly name: string;
}

/** `namespace.attribute` that is written. */
export interface NamespaceTarget extends Node<"target_namespace"> {
  readonly name: string;
  readonly attribute: string;
}

/** Several targets that one value is unpacked to. */
export interface TupleTarget extends Node<"target_tuple"> {
  readonly items: readonly Target[];
}

/** Left side of an assignment. */
export type Target = NameTarget | NamespaceTarget | TupleTarget;

/** Text of the template as it stands. */
export interface Data extends Node<"data"> {
  readonly text: string;
}

/** Text and printed expressions, in order. */
export interface Output extends Node<"output"> {
  readonly items: readonly (Data | Expr)[];
}

/** One condition of an `if` with what follows it. */
export interface Branch {
  readonly place: Place;
  readonly test: Expr;
  readonly body: readonly Statement[];
}

/** `if`, each `elif`, and `else`. */
export interface If extends Node<"if"> {
  readonly branches: readonly Branch[];
  readonly otherwise: readonly Statement[];
}

/** `for target in items if test recursive`, with its `else`. */
export interface For extends Node<"for"> {
  readonly target: Target;
  readonly items: Expr;
  readonly test: Expr | undefined;
  readonly recursive: boolean;
  readonly body: readonly Statement[];
  readonly otherwise: readonly Statement[];
}

/** A parameter of a macro or call block. */
export interface Parameter {
  readonly name: string;
  readonly fallback: Expr | undefined;
}

/** What macro and call block have in common. */
export interface Callee {
  readonly place: Place;
  readonly parameters: readonly Parameter[];
  readonly body: readonly Statement[];
}

/** `macro name(...)`. */
export interface Macro extends Node<"macro">, Callee {
  readonly name: string;
}

/** `call(...) macro(...)`. */
export interface CallBlock extends Node<"call_block">, Callee {
  readonly call: Call;
}

/** `filter name(...)` around a body. */
export interface FilterBlock extends Node<"filter_block"> {
  readonly filter: Filter;
  readonly body: readonly Statement[];
}

/** `set target = value`. */
export interface Assign extends Node<"set"> {
  readonly target: Target;
  readonly value: Expr;
}

/** `set target` around a body. */
export interface AssignBlock extends Node<"set_block"> {
  readonly target: Target;
  readonly filter: Filter | undefined;
  readonly body: readonly Statement[];
}

/** `with a = b, ...` around a body. */
export interface With extends Node<"with"> {
  readonly bindings: readonly { readonly target: Target; readonly value: Expr }[];
  readonly body: readonly Statement[];
}

/** `autoescape value` around a body. */
export interface Autoescape extends Node<"autoescape"> {
  readonly value: Expr;
  readonly body: readonly Statement[];
}

/** `block name scoped required`. */
export interface Block extends Node<"block"> {
  readonly name: string;
  readonly scoped: boolean;
  readonly required: boolean;
  readonly body: readonly Statement[];
}

/** `extends template`. */
export interface Extends extends Node<"extends"> {
  readonly template: Expr;
}

/** `include template ignore missing with context`. */
export interface Include extends Node<"include"> {
  readonly template: Expr;
  readonly ignoreMissing: boolean;
  readonly withContext: boolean;
}

/** `import template as name`. */
export interface Import extends Node<"import"> {
  readonly template: Expr;
  readonly name: string;
  readonly withContext: boolean;
}

/** `from template import a, b as c`. */
export interface FromImport extends Node<"from_import"> {
  readonly template: Expr;
  readonly names: readonly { readonly name: string; readonly alias: string }[];
  readonly withContext: boolean;
}

/** Whatever stands between text. */
export type Statement =
  | Output
  | If
  | For
  | Macro
  | CallBlock
  | FilterBlock
  | Assign
  | AssignBlock
  | With
  | Autoescape
  | Block
  | Extends
  | Include
  | Import
  | FromImport;
