/**
 * Statements become closures that take a frame and a sink to print to. Here are those without a life of their own:
 * text and printed values, `if`, `set`, `with`, `filter`, `autoescape`; loops, macros and what concerns other templates
 * have their own files.
 */
import { Capture } from "../output.ts";
import {
  conditionalScope,
  enterScope,
  innerScope,
  leaveScope,
  nameReader,
  nameWriter,
  type Scope,
} from "../scope/scope.ts";
import { analyse, declareTargets } from "../scope/symbols.ts";
import type {
  AssignBlock,
  Autoescape,
  Data,
  Expr,
  FilterBlock,
  If,
  Output,
  Statement,
  Target,
  With,
} from "../tree.ts";
import {
  escape,
  iterate,
  Markup,
  PyError,
  PyNamespace,
  PyTuple,
  type PyValue,
  str,
  truthy,
  typeName,
} from "../values/mod.ts";
import { compileFilter } from "./call.ts";
import type { Compilation } from "./compilation.ts";
import { constantOf } from "./constant.ts";
import { compileExpression } from "./expression.ts";
import type { Execute, Frame } from "./frame.ts";
import { compileFor } from "./for.ts";
import { compileCallBlock, compileMacro } from "./macro.ts";
import {
  compileBlockCall,
  compileExtends,
  compileFromImport,
  compileImport,
  compileInclude,
} from "./template_statement.ts";

/** Compiles statements that run one after another. */
export function compileStatements(c: Compilation, scope: Scope, body: readonly Statement[]): Execute {
  const steps: Execute[] = [];
  for (const statement of body) {
    const step = compileStatement(c, scope, statement);
    if (step !== undefined) steps.push(step);
  }
  const [first, second] = steps;
  if (first === undefined) return () => {};
  if (second === undefined) return first;
  return inOrder(steps);
}

function inOrder(steps: readonly Execute[]): Execute {
  return (frame, out) => {
    for (let i = 0; i < steps.length; i++) steps[i]?.(frame, out);
  };
}

function compileStatement(c: Compilation, scope: Scope, statement: Statement): Execute | undefined {
  switch (statement.kind) {
    case "output":
      return compileOutput(c, scope, statement);
    case "if":
      return compileIf(c, scope, statement);
    case "for":
      return compileFor(c, scope, statement);
    case "macro":
      return compileMacro(c, scope, statement);
    case "call_block":
      return compileCallBlock(c, scope, statement);
    case "filter_block":
      return compileFilterBlock(c, scope, statement);
    case "set": {
      const value = compileExpression(c, scope, statement.value);
      const assign = compileAssignment(scope, statement.target);
      return (frame) => assign(frame, value(frame));
    }
    case "set_block":
      return compileAssignBlock(c, scope, statement);
    case "with":
      return compileWith(c, scope, statement);
    case "autoescape":
      return compileAutoescape(c, scope, statement);
    case "block":
      return compileBlockCall(c, scope, statement);
    case "extends":
      return compileExtends(c, scope, statement);
    case "include":
      return compileInclude(c, scope, statement);
    case "import":
      return compileImport(c, scope, statement);
    case "from_import":
      return compileFromImport(c, scope, statement);
  }
}

function compileOutput(c: Compilation, scope: Scope, output: Output): Execute | undefined {
  if (scope.stopsAtExtends && c.knownExtends) return undefined;
  const items = output.items.map((item) => compilePrinted(c, scope, item));
  const [only] = items;
  const print = only !== undefined && items.length === 1 ? only : inOrder(items);
  if (!scope.stopsAtExtends) return print;
  return (frame, out) => {
    if (frame.root.parentTemplate === undefined) print(frame, out);
  };
}

function compilePrinted(c: Compilation, scope: Scope, item: Data | Expr): Execute {
  const { place } = item;
  const origin = { place, isData: item.kind === "data" };
  const known = item.kind === "data" ? item.text : printedConstant(c, scope, item);
  if (item.kind === "data" || known !== undefined) {
    const text = known ?? "";
    return (frame, out) => {
      frame.run.at = place;
      out.write(text, origin);
    };
  }
  const value = compileExpression(c, scope, item);
  if (scope.autoescape === false) {
    return (frame, out) => {
      const result = value(frame);
      frame.run.at = place;
      out.write(typeof result === "string" ? result : str(result), origin);
    };
  }
  return (frame, out) => {
    const result = value(frame);
    frame.run.at = place;
    out.write(printed(result, escapes(scope, frame)), origin);
  };
}

/** The text of an expression that is known before the template runs; undefined elsewhere. */
function printedConstant(c: Compilation, scope: Scope, expr: Expr): string | undefined {
  const value = constantOf(c, scope, expr);
  if (value === undefined) return undefined;
  try {
    return printed(value, scope.autoescape === true);
  } catch (error) {
    if (error instanceof PyError) return undefined;
    throw error;
  }
}

function printed(value: PyValue, escaping: boolean): string {
  return escaping ? escape(value).text : str(value);
}

/** Whether what is printed here is escaped. */
export function escapes(scope: Scope, frame: Frame): boolean {
  return scope.autoescape === "dynamic" ? frame.context.escaping.on : scope.autoescape;
}

function compileIf(c: Compilation, scope: Scope, statement: If): Execute {
  const inside = conditionalScope(scope);
  const branches = statement.branches.map(({ test, body }) => ({
    place: test.place,
    test: compileExpression(c, inside, test),
    body: compileStatements(c, inside, body),
  }));
  const otherwise = compileStatements(c, inside, statement.otherwise);
  return (frame, out) => {
    for (const { place, test, body } of branches) {
      const value = test(frame);
      frame.run.at = place;
      if (truthy(value)) return body(frame, out);
    }
    otherwise(frame, out);
  };
}

/** Writes a value to a target; at the top level the names become the template's own. */
export function compileAssignment(scope: Scope, target: Target): (frame: Frame, value: PyValue) => void {
  const { place } = target;
  switch (target.kind) {
    case "target_name": {
      const { name } = target;
      const write = nameWriter(scope, name);
      if (!scope.topLevel) return write;
      return (frame, value) => {
        write(frame, value);
        frame.context.own.set(name, value);
        if (!name.startsWith("_")) frame.context.exported.add(name);
      };
    }
    case "target_namespace": {
      const { attribute } = target;
      const namespace = compileNamespace(scope, target.name);
      return (frame, value) => {
        frame.run.at = place;
        namespace(frame).set(attribute, value);
      };
    }
    case "target_tuple": {
      const parts = target.items.map((item) => compileAssignment(scope, item));
      return (frame, value) => {
        frame.run.at = place;
        const values = unpack(value, parts.length);
        for (let i = 0; i < parts.length; i++) parts[i]?.(frame, values[i] ?? null);
      };
    }
  }
}

function compileNamespace(scope: Scope, name: string): (frame: Frame) => PyNamespace {
  const read = nameReader(scope, name);
  return (frame) => {
    const namespace = read(frame);
    if (namespace instanceof PyNamespace) return namespace;
    throw new PyError("runtime", "cannot assign attribute on non-namespace object");
  };
}

/** Exactly `count` values out of one. Throws `PyError` with Python's words when there are more or fewer. */
export function unpack(value: PyValue, count: number): readonly PyValue[] {
  if (value instanceof PyTuple && value.items.length === count) return value.items;
  const values: PyValue[] = [];
  for (const item of iterate(value)) {
    if (values.length === count) {
      throw new PyError("runtime", `too many values to unpack (expected ${count})`);
    }
    values.push(item);
  }
  if (values.length < count) {
    throw new PyError("runtime", `not enough values to unpack (expected ${count}, got ${values.length})`);
  }
  return values;
}

/** Runs statements and gives what they printed: text, or markup where escaping is on. */
export function captured(frame: Frame, body: Execute): string {
  const out = new Capture(frame.run.limits.maxOutputBytes);
  body(frame, out);
  return frame.run.made(out.text);
}

/** Text that a body printed, as a value: markup where escaping is on. */
export function capturedValue(text: string, escaping: boolean): PyValue {
  return escaping ? new Markup(text) : text;
}

/** What a filter block or call block prints: its value has to be text already. */
export function printedText(value: PyValue): string {
  if (typeof value === "string") return value;
  if (value instanceof Markup) return value.text;
  throw new PyError("type", `expected str instance, ${typeName(value)} found`);
}

function compileAssignBlock(c: Compilation, scope: Scope, statement: AssignBlock): Execute {
  const inside = { ...innerScope(scope), stopsAtExtends: false };
  analyse(inside.symbols, statement.body);
  const enter = enterScope(inside);
  const body = compileStatements(c, inside, statement.body);
  const leave = leaveScope(inside);
  const assign = compileAssignment(scope, statement.target);
  const printed = inside.layout.temporary();
  const filter = statement.filter === undefined
    ? undefined
    : compileFilter(c, inside, statement.filter, (f) => f.slots[printed] ?? "");
  return (frame) => {
    enter?.(frame, frame.context.lookUp);
    const text = captured(frame, body);
    const { on } = frame.context.escaping;
    let value = capturedValue(text, filter === undefined ? on : escapes(inside, frame));
    if (filter !== undefined) {
      frame.slots[printed] = value;
      value = filter(frame);
      if (on) value = value instanceof Markup ? value : new Markup(str(value));
    }
    assign(frame, value);
    leave(frame);
  };
}

function compileFilterBlock(c: Compilation, scope: Scope, statement: FilterBlock): Execute {
  const { place } = statement;
  const origin = { place, isData: false };
  const inside = innerScope(scope);
  analyse(inside.symbols, [...statement.body, statement.filter]);
  const enter = enterScope(inside);
  const body = compileStatements(c, inside, statement.body);
  const leave = leaveScope(inside);
  const printed = inside.layout.temporary();
  const filter = compileFilter(c, inside, statement.filter, (f) => f.slots[printed] ?? "");
  return (frame, out) => {
    enter?.(frame, frame.context.lookUp);
    frame.slots[printed] = capturedValue(captured(frame, body), escapes(scope, frame));
    const value = filter(frame);
    frame.run.at = place;
    out.write(printedText(value), origin);
    leave(frame);
  };
}

function compileWith(c: Compilation, scope: Scope, statement: With): Execute {
  const inside = innerScope(scope);
  for (const { target } of statement.bindings) declareTargets(inside.symbols, target);
  analyse(inside.symbols, statement.body);
  const enter = enterScope(inside);
  const bindings = statement.bindings.map(({ target, value }) => ({
    assign: compileAssignment(inside, target),
    value: compileExpression(c, scope, value),
  }));
  const body = compileStatements(c, inside, statement.body);
  const leave = leaveScope(inside);
  return (frame, out) => {
    enter?.(frame, frame.context.lookUp);
    for (const { assign, value } of bindings) assign(frame, value(frame));
    body(frame, out);
    leave(frame);
  };
}

function compileAutoescape(c: Compilation, scope: Scope, statement: Autoescape): Execute {
  const { place, value } = statement;
  const known = value.kind === "const" ? truthy(value.value) : "dynamic";
  const inside: Scope = { ...innerScope(scope), autoescape: known };
  analyse(inside.symbols, [value, ...statement.body]);
  const enter = enterScope(inside);
  const option = compileExpression(c, inside, value);
  const body = compileStatements(c, inside, statement.body);
  const leave = leaveScope(inside);
  return (frame, out) => {
    const { escaping } = frame.context;
    const before = escaping.on;
    enter?.(frame, frame.context.lookUp);
    const on = option(frame);
    frame.run.at = place;
    escaping.on = truthy(on);
    body(frame, out);
    escaping.on = before;
    leave(frame);
  };
}
