/**
 * A whole template: its root and each of its blocks become functions that take a context. A block sees no variable of
 * the root around it, only the context; an inherited template is rendered after its child, in the child's context.
 */
import { syntaxError } from "../errors.ts";
import type { Sink } from "../output.ts";
import type { ParsedTemplate } from "../parser/mod.ts";
import { enterScope, outermostScope } from "../scope/scope.ts";
import { analyse } from "../scope/symbols.ts";
import { type AnyNode, findAll, undeclaredNames } from "../scope/walk.ts";
import type { Block } from "../tree.ts";
import type { Compilation, CompileOptions } from "./compilation.ts";
import { type CompiledBlock, type CompiledTemplate, type Context, Frame } from "./frame.ts";
import { parentBlock, SelfReference } from "./module.ts";
import { compileStatements } from "./statement.ts";

/** Compiles a parsed template. Throws `TemplateError` of kind `syntax`. */
export function compileTemplate(parsed: ParsedTemplate, options: CompileOptions): CompiledTemplate {
  const { source, body } = parsed;
  const nodes = findAll(body, isBlock);
  refuseTwins(nodes);
  const c: Compilation = { source, options, knownExtends: false, extendsCount: 0, folded: 0 };
  const render = compileRoot(c, parsed);
  const blocks = new Map<string, CompiledBlock>();
  for (const node of nodes) blocks.set(node.name, compileBlock(c, node));
  return { name: source.name, start: { source, line: 1, column: 1 }, blocks, render };
}

function compileRoot(c: Compilation, parsed: ParsedTemplate): CompiledTemplate["render"] {
  const { body } = parsed;
  const scope = outermostScope({ topLevel: true, stopsAtExtends: findAll(body, isExtends).length > 0 });
  const self = undeclaredNames(body, ["self"]).has("self") ? scope.symbols.parameter("self") : undefined;
  analyse(scope.symbols, body);
  const enter = enterScope(scope);
  const selfSlot = self === undefined ? undefined : scope.layout.own(self);
  const run = compileStatements(c, scope, body);
  return (context, out) => {
    const frame = new Frame(context, undefined, scope.layout);
    if (selfSlot !== undefined) frame.slots[selfSlot] = new SelfReference(context);
    enter?.(frame, context.lookUp);
    run(frame, out);
    if (frame.parentTemplate === undefined) return;
    context.run.enter();
    frame.parentTemplate.render(context, out);
    context.run.leave();
  };
}

function compileBlock(c: Compilation, node: Block): CompiledBlock {
  const scope = outermostScope({ topLevel: false, stopsAtExtends: false });
  const mentioned = undeclaredNames(node.body, ["self", "super"]);
  const self = mentioned.has("self") ? scope.symbols.parameter("self") : undefined;
  const parent = mentioned.has("super") ? scope.symbols.parameter("super") : undefined;
  analyse(scope.symbols, node.body);
  const enter = enterScope(scope);
  const selfSlot = self === undefined ? undefined : scope.layout.own(self);
  const parentSlot = parent === undefined ? undefined : scope.layout.own(parent);
  const run = compileStatements(c, scope, node.body);
  const block: CompiledBlock = {
    name: node.name,
    render: (context: Context, out: Sink): void => {
      const frame = new Frame(context, undefined, scope.layout);
      if (selfSlot !== undefined) frame.slots[selfSlot] = new SelfReference(context);
      if (parentSlot !== undefined) frame.slots[parentSlot] = parentBlock(context, block);
      enter?.(frame, context.lookUp);
      run(frame, out);
    },
  };
  return block;
}

function refuseTwins(nodes: readonly Block[]): void {
  const seen = new Set<string>();
  for (const { name, place } of nodes) {
    if (seen.has(name)) throw syntaxError(place, `block '${name}' defined twice`);
    seen.add(name);
  }
}

function isBlock(node: AnyNode): node is Block {
  return node.kind === "block";
}

function isExtends(node: AnyNode): node is Extract<AnyNode, { kind: "extends" }> {
  return node.kind === "extends";
}
