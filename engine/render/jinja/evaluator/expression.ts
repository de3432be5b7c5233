/**
 * Expressions become closures: each node once, when the template is compiled, so that a render only calls functions.
 * Before anything that can fail, a closure notes its place in the run; that is where an error is told.
 */
import type { Binary, Compare, Concat, Condition, Dict, Expr, Getattr, Getitem, Slice } from "../tree.ts";
import { concat, getAttr, getItem, PyDict, PyTuple, slice, truthy, Undefined } from "../values/mod.ts";
import { conditionalScope, nameReader, type Scope } from "../scope/scope.ts";
import { compileCall, compileFilter, compileTest } from "./call.ts";
import type { Compilation } from "./compilation.ts";
import { constantOf, copier } from "./constant.ts";
import type { Evaluate, Frame } from "./frame.ts";
import { BINARY, COMPARE, UNARY } from "./operator.ts";

/** Kinds of expressions that Jinja2 evaluates when it compiles them, where all in them is known. */
const FOLDED: ReadonlySet<Expr["kind"]> = new Set<Expr["kind"]>([
  "binary",
  "and",
  "or",
  "not",
  "neg",
  "pos",
  "concat",
  "compare",
  "condition",
  "getattr",
  "getitem",
  "filter",
  "test",
]);

/** Compiles an expression. Throws `TemplateError` for what Jinja2 refuses when it compiles. */
export function compileExpression(c: Compilation, scope: Scope, expr: Expr): Evaluate {
  const folded = FOLDED.has(expr.kind) ? constantOf(c, scope, expr) : undefined;
  const copy = folded === undefined ? undefined : copier(folded);
  if (copy === undefined) return compileUnfolded(c, scope, expr);
  return (f) => f.run.made(copy());
}

function compileUnfolded(c: Compilation, scope: Scope, expr: Expr): Evaluate {
  const compile = (part: Expr): Evaluate => compileExpression(c, scope, part);
  const { place } = expr;
  switch (expr.kind) {
    case "const": {
      const { value } = expr;
      return () => value;
    }
    case "name":
      return compileName(scope, expr.name);
    case "list": {
      const items = expr.items.map(compile);
      return (f) => f.run.made(items.map((item) => item(f)));
    }
    case "tuple": {
      const items = expr.items.map(compile);
      return (f) => f.run.made(new PyTuple(items.map((item) => item(f))));
    }
    case "dict":
      return compileDict(c, scope, expr);
    case "binary":
      return compileBinary(c, scope, expr);
    case "and": {
      const left = compile(expr.left);
      const right = compile(expr.right);
      return (f) => {
        const value = left(f);
        f.run.at = place;
        return truthy(value) ? right(f) : value;
      };
    }
    case "or": {
      const left = compile(expr.left);
      const right = compile(expr.right);
      return (f) => {
        const value = left(f);
        f.run.at = place;
        return truthy(value) ? value : right(f);
      };
    }
    case "not":
    case "neg":
    case "pos": {
      const operand = compile(expr.operand);
      const apply = UNARY[expr.kind];
      return (f) => {
        const value = operand(f);
        f.run.at = place;
        return apply(value);
      };
    }
    case "concat":
      return compileConcat(c, scope, expr);
    case "compare":
      return compileCompare(c, scope, expr);
    case "condition":
      return compileCondition(c, scope, expr);
    case "getattr":
      return compileGetattr(compile(expr.object), expr);
    case "getitem":
      return compileGetitem(c, scope, expr);
    case "call":
      return compileCall(c, scope, expr);
    case "filter":
      return compileFilter(c, scope, expr);
    case "test":
      return compileTest(c, scope, expr);
  }
}

function compileBinary(c: Compilation, scope: Scope, expr: Binary): Evaluate {
  const apply = BINARY[expr.operator];
  const left = compileExpression(c, scope, expr.left);
  const right = compileExpression(c, scope, expr.right);
  const { place } = expr;
  return (f) => {
    const a = left(f);
    const b = right(f);
    f.run.at = place;
    return f.run.made(apply(a, b));
  };
}

function compileName(scope: Scope, name: string): Evaluate {
  const known = scope.symbols.find(name) !== undefined;
  const read = known ? nameReader(scope, name) : (f: Frame) => f.context.lookUp(name);
  const names = [...scope.symbols.written().keys()];
  return (f) => {
    const value = read(f);
    return value === undefined ? f.context.undefinedName(name, names) : value;
  };
}

function compileDict(c: Compilation, scope: Scope, expr: Dict): Evaluate {
  const pairs = expr.pairs.map(({ key, value }) =>
    [compileExpression(c, scope, key), compileExpression(c, scope, value)] as const
  );
  const { place } = expr;
  return (f) => {
    const dict = new PyDict();
    for (const [key, value] of pairs) {
      const k = key(f);
      const v = value(f);
      f.run.at = place;
      dict.set(k, v);
    }
    return f.run.made(dict);
  };
}

function compileConcat(c: Compilation, scope: Scope, expr: Concat): Evaluate {
  const items = expr.items.map((item) => compileExpression(c, scope, item));
  const { place } = expr;
  const escaping = scope.autoescape === true;
  return (f) => {
    const values = items.map((item) => item(f));
    f.run.at = place;
    return f.run.made(concat(values, escaping));
  };
}

function compileCompare(c: Compilation, scope: Scope, expr: Compare): Evaluate {
  const { place } = expr;
  const first = compileExpression(c, scope, expr.first);
  const rest = expr.rest.map(({ operator, operand }) =>
    [COMPARE[operator], compileExpression(c, scope, operand)] as const
  );
  const [only] = rest;
  if (only !== undefined && rest.length === 1) {
    const [compare, second] = only;
    return (f) => {
      const left = first(f);
      const right = second(f);
      f.run.at = place;
      return compare(left, right);
    };
  }
  return (f) => {
    let left = first(f);
    for (const [compare, operand] of rest) {
      const right = operand(f);
      f.run.at = place;
      if (!compare(left, right)) return false;
      left = right;
    }
    return true;
  };
}

function compileCondition(c: Compilation, scope: Scope, expr: Condition): Evaluate {
  const inside = conditionalScope(scope);
  const { place } = expr;
  const test = compileExpression(c, inside, expr.test);
  const then = compileExpression(c, inside, expr.then);
  const otherwise = expr.otherwise === undefined
    ? withoutElse(`line ${place.line} in '${c.source.name}'`)
    : compileExpression(c, inside, expr.otherwise);
  return (f) => {
    const value = test(f);
    f.run.at = place;
    return truthy(value) ? then(f) : otherwise(f);
  };
}

/** A condition that fails and has no `else` is undefined in the lenient way, whatever the environment's way is. */
function withoutElse(position: string): Evaluate {
  const hint = `the inline if-expression on ${position} evaluated to false and no else section was defined.`;
  return () => new Undefined("lenient", { hint });
}

function compileGetattr(object: Evaluate, { name, place }: Getattr): Evaluate {
  // The usual case, a key of a mapping, needs no look at the attributes when no mapping has one of that name.
  const isKey = !isMappingAttribute(name);
  return (f) => {
    const value = object(f);
    const item = isKey && value instanceof PyDict ? value.get(name) : undefined;
    if (item !== undefined) return item;
    f.run.at = place;
    return getAttr(value, name, f.context);
  };
}

function isMappingAttribute(name: string): boolean {
  if (name.startsWith("_")) return true;
  const nothing = new Undefined("lenient", {});
  const found = getAttr(new PyDict(), name, {
    autoescape: false,
    filters: new Map(),
    tests: new Map(),
    undefined: () => nothing,
  });
  return found !== nothing;
}

function compileGetitem(c: Compilation, scope: Scope, expr: Getitem): Evaluate {
  const object = compileExpression(c, scope, expr.object);
  const { place } = expr;
  if (expr.key.kind === "slice") return compileSlice(c, scope, object, expr.key);
  const key = compileExpression(c, scope, expr.key);
  return (f) => {
    const value = object(f);
    const k = key(f);
    f.run.at = place;
    return getItem(value, k, f.context);
  };
}

function compileSlice(c: Compilation, scope: Scope, object: Evaluate, expr: Slice): Evaluate {
  const { place } = expr;
  const part = (bound: Expr | undefined): Evaluate =>
    bound === undefined ? () => null : compileExpression(c, scope, bound);
  const start = part(expr.start);
  const stop = part(expr.stop);
  const step = part(expr.step);
  return (f) => {
    const value = object(f);
    const from = start(f);
    const to = stop(f);
    const by = step(f);
    f.run.at = place;
    return f.run.made(slice(value, from, to, by));
  };
}
