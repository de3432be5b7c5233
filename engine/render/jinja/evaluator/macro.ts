/**
 * `macro` and `call`: the body becomes a function with a frame of its own inside the frame it was defined in, so it sees
 * the names around it as they are when it runs. Parameters that were not given get their defaults in order, each seeing
 * those before it.
 */
import { Macro, type MacroArguments, type MacroSignature } from "../macro.ts";
import { Layout } from "../scope/layout.ts";
import { enterScope, innerScope, nameWriter, type Scope } from "../scope/scope.ts";
import { analyse } from "../scope/symbols.ts";
import { parametersOf, undeclaredNames } from "../scope/walk.ts";
import { syntaxError } from "../errors.ts";
import type { CallBlock, Callee, Macro as MacroNode } from "../tree.ts";
import type { PyValue } from "../values/mod.ts";
import { compileCall } from "./call.ts";
import type { Compilation } from "./compilation.ts";
import { compileExpression } from "./expression.ts";
import { type Execute, Frame } from "./frame.ts";
import { captured, compileStatements, printedText } from "./statement.ts";

/** Compiles the definition of a macro. */
export function compileMacro(c: Compilation, scope: Scope, node: MacroNode): Execute {
  const { name } = node;
  const make = compileBody(c, scope, node, name);
  const write = nameWriter(scope, name);
  return (frame) => {
    const macro = make(frame);
    write(frame, macro);
    if (!scope.topLevel) return;
    frame.context.own.set(name, macro);
    if (!name.startsWith("_")) frame.context.exported.add(name);
  };
}

/** Compiles a call block: the call gets the block's body as `caller`. */
export function compileCallBlock(c: Compilation, scope: Scope, node: CallBlock): Execute {
  const { place } = node;
  if (node.call.args.named.some(({ name }) => name === "caller")) {
    throw syntaxError(place, "keyword argument repeated: caller");
  }
  const make = compileBody(c, scope, node, undefined);
  const call = compileCall(c, scope, node.call, make);
  const origin = { place, isData: false };
  return (frame, out) => {
    const value = call(frame);
    frame.run.at = place;
    out.write(printedText(value), origin);
  };
}

function compileBody(
  c: Compilation,
  scope: Scope,
  node: Callee,
  name: string | undefined,
): (frame: Frame) => PyValue {
  const inside: Scope = { ...innerScope(scope, new Layout(scope.layout)), stopsAtExtends: false };
  analyse(inside.symbols, [...parametersOf(node.parameters), ...node.body]);
  const parameters = node.parameters.map((parameter) => parameter.name);
  const twin = parameters.find((parameter, i) => parameters.indexOf(parameter) !== i);
  if (twin !== undefined) throw syntaxError(node.place, `duplicate argument '${twin}' in macro definition`);
  const mentioned = undeclaredNames(node.body, ["caller", "kwargs", "varargs"]);
  const takes = (special: string): boolean => mentioned.has(special) && !parameters.includes(special);
  const explicit = node.parameters.find((parameter) => parameter.name === "caller");
  if (mentioned.has("caller") && explicit !== undefined && explicit.fallback === undefined) {
    throw syntaxError(
      node.place,
      'When defining macros or call blocks the special "caller" argument must be omitted or be given a default.',
    );
  }
  const signature: MacroSignature = {
    name,
    parameters,
    takesCaller: mentioned.has("caller"),
    takesNamed: takes("kwargs"),
    takesPositional: takes("varargs"),
  };
  const slotOf = (special: string): number => inside.layout.own(inside.symbols.parameter(special));
  const caller = takes("caller") ? slotOf("caller") : undefined;
  const named = takes("kwargs") ? slotOf("kwargs") : undefined;
  const positional = takes("varargs") ? slotOf("varargs") : undefined;
  const enter = enterScope(inside);
  const fill = compileParameters(c, inside, node);
  const body = compileStatements(c, inside, node.body);

  return (outer) =>
    new Macro(signature, (args) => {
      const { run } = outer;
      const frame = new Frame(outer.context, outer, inside.layout);
      if (caller !== undefined) frame.slots[caller] = args.caller;
      if (named !== undefined) frame.slots[named] = args.named;
      if (positional !== undefined) frame.slots[positional] = args.positional;
      run.enter();
      fill(frame, args, () => enter?.(frame, frame.context.lookUp));
      const text = captured(frame, body);
      run.leave();
      return text;
    });
}

function compileParameters(
  c: Compilation,
  scope: Scope,
  node: Callee,
): (frame: Frame, args: MacroArguments, enter: () => void) => void {
  const parameters = node.parameters.map(({ name, fallback }) => ({
    slot: scope.layout.own(scope.symbols.find(name) ?? scope.symbols.parameter(name)),
    name,
    fallback: fallback === undefined ? undefined : compileExpression(c, scope, fallback),
  }));
  return (frame, args, enter) => {
    for (let i = 0; i < parameters.length; i++) {
      const parameter = parameters[i];
      if (parameter !== undefined) frame.slots[parameter.slot] = args.parameters[i];
    }
    enter();
    for (const { slot, name, fallback } of parameters) {
      if (frame.slots[slot] !== undefined) continue;
      frame.slots[slot] = fallback === undefined
        ? frame.context.undefined({ hint: `parameter '${name}' was not provided`, name })
        : fallback(frame);
    }
  };
}
