/**
 * `for`: three scopes (body, condition, else) over one sequence. A loop whose body does not mention `loop` runs without
 * a LoopContext. A condition filters the items lazily, before the body sees them. A recursive loop is a function of its
 * own, so that each level has its own variables.
 */
import { syntaxError } from "../errors.ts";
import { LoopContext } from "../loop.ts";
import type { Sink } from "../output.ts";
import { Layout } from "../scope/layout.ts";
import { enterScope, innerScope, leaveScope, nameWriter, type Scope } from "../scope/scope.ts";
import { analyseLoop } from "../scope/symbols.ts";
import { type AnyNode, findAll, undeclaredNames } from "../scope/walk.ts";
import type { Block, For, NameTarget, Target } from "../tree.ts";
import { iterate, PyTuple, type PyValue, truthy } from "../values/mod.ts";
import type { Compilation } from "./compilation.ts";
import { compileExpression } from "./expression.ts";
import { type Evaluate, type Execute, Frame } from "./frame.ts";
import { captured, capturedValue, compileAssignment, compileStatements, escapes } from "./statement.ts";

/** Goes over items and prints; `depth0` counts the levels of a recursive loop. */
type RunLoop = (frame: Frame, items: PyValue, out: Sink, depth0: number) => void;

/** Compiles a loop. */
export function compileFor(c: Compilation, scope: Scope, loop: For): Execute {
  refuseLoopAsTarget(loop);
  const { place } = loop;
  const layout = loop.recursive ? new Layout(scope.layout) : scope.layout;
  const body = innerScope(scope, layout);
  const extended = loop.recursive || undeclaredNames(loop.body, ["loop"]).has("loop") ||
    findAll([loop], isScopedBlock).length > 0;
  if (extended) body.symbols.parameter("loop");
  analyseLoop(body.symbols, loop, "body");
  const items = compileExpression(c, scope, loop.items);
  const run = compileRun(c, scope, body, loop, extended);
  if (!loop.recursive) {
    return (frame, out) => {
      const value = items(frame);
      frame.run.at = place;
      run(frame, value, out, 0);
    };
  }
  return (frame, out) => {
    const value = items(frame);
    frame.run.at = place;
    run(new Frame(frame.context, frame, layout), value, out, 0);
  };
}

function compileRun(c: Compilation, scope: Scope, inside: Scope, loop: For, extended: boolean): RunLoop {
  const { place } = loop;
  const filter = loop.test === undefined ? undefined : compileCondition(c, scope, loop);
  // The condition belongs to the function around a recursive loop, not to the loop's own.
  const condition = filter === undefined || !loop.recursive
    ? filter
    : (frame: Frame, items: PyValue) => filter(frame.outer ?? frame, items);
  const enter = enterScope(inside);
  const assign = compileAssignment(inside, loop.target);
  const writeLoop = extended ? nameWriter(inside, "loop") : undefined;
  const body = compileStatements(c, inside, loop.body);
  const leave = leaveScope(inside);
  const otherwise = loop.otherwise.length === 0 ? undefined : compileElse(c, scope, inside.layout, loop);

  const step = (frame: Frame, item: PyValue, out: Sink): void => {
    frame.run.tick();
    assign(frame, item);
    enter?.(frame, frame.context.lookUp);
    body(frame, out);
    frame.run.at = place;
  };
  const finish = (frame: Frame, count: number, out: Sink): void => {
    leave(frame);
    if (count === 0) otherwise?.(frame, out);
  };
  if (writeLoop === undefined) {
    return (frame, items, out) => {
      let count = 0;
      if (condition === undefined && Array.isArray(items)) {
        // The usual case; a list may grow while the loop runs.
        for (; count < items.length; count++) step(frame, items[count] ?? null, out);
      } else {
        for (const item of condition === undefined ? iterate(items) : condition(frame, items)) {
          count++;
          step(frame, item, out);
        }
      }
      finish(frame, count, out);
    };
  }
  const run: RunLoop = (frame, items, out, depth0) => {
    const recurse = !loop.recursive ? undefined : (inner: PyValue, depth: number): PyValue => {
      frame.run.enter();
      const text = captured(
        frame,
        (_, sink) => run(new Frame(frame.context, frame.outer, inside.layout), inner, sink, depth),
      );
      frame.run.leave();
      return capturedValue(text, escapes(scope, frame));
    };
    const source = condition === undefined ? { value: items } : { lazy: condition(frame, items) };
    const context = new LoopContext(source, { env: frame.context, recurse, depth0 });
    let count = 0;
    for (let next = context.next(); next.done !== true; next = context.next()) {
      count++;
      writeLoop(frame, context);
      step(frame, next.value, out);
    }
    finish(frame, count, out);
  };
  return run;
}

/** The items that fulfil the condition, one by one; a tuple of targets makes each a tuple, as in Jinja2. */
function compileCondition(
  c: Compilation,
  scope: Scope,
  loop: For,
): (frame: Frame, items: PyValue) => Generator<PyValue> {
  const inside = innerScope(scope, new Layout(scope.layout));
  analyseLoop(inside.symbols, loop, "test");
  const enter = enterScope(inside);
  const assign = compileAssignment(inside, loop.target);
  const item = compileTargetValue(inside, loop.target);
  const test = loop.test === undefined ? () => true : compileExpression(c, inside, loop.test);
  return function* (outer, items) {
    const frame = new Frame(outer.context, outer, inside.layout);
    enter?.(frame, frame.context.lookUp);
    for (const value of iterate(items)) {
      frame.run.tick();
      assign(frame, value);
      if (truthy(test(frame))) yield item(frame);
    }
  };
}

function compileTargetValue(scope: Scope, target: Target): Evaluate {
  if (target.kind === "target_tuple") {
    const parts = target.items.map((part) => compileTargetValue(scope, part));
    return (frame) => new PyTuple(parts.map((part) => part(frame)));
  }
  const { slot } = scope.layout.find(scope.symbols.find(target.name) ?? scope.symbols.parameter(target.name));
  return (frame) => frame.slots[slot] ?? null;
}

function compileElse(c: Compilation, scope: Scope, layout: Layout, loop: For): Execute {
  const inside = innerScope(scope, layout);
  analyseLoop(inside.symbols, loop, "otherwise");
  const enter = enterScope(inside);
  const body = compileStatements(c, inside, loop.otherwise);
  const leave = leaveScope(inside);
  return (frame, out) => {
    enter?.(frame, frame.context.lookUp);
    body(frame, out);
    leave(frame);
  };
}

function refuseLoopAsTarget(loop: For): void {
  const [written] = findAll([loop], isLoopTarget);
  if (written !== undefined) {
    throw syntaxError(written.place, "Can't assign to special loop variable in for-loop target");
  }
}

function isLoopTarget(node: AnyNode): node is NameTarget {
  return node.kind === "target_name" && node.name === "loop";
}

function isScopedBlock(node: AnyNode): node is Block {
  return node.kind === "block" && node.scoped;
}
