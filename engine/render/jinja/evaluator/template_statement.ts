/**
 * Statements that reach other templates or blocks: `block`, `extends`, `include`, `import`, `from ... import`. Names of
 * templates are values, looked up in the bundle when the statement runs.
 */
import { didYouMean, syntaxError } from "../errors.ts";
import { Capture, type Sink } from "../output.ts";
import { nameWriter, type Scope, writtenNames } from "../scope/scope.ts";
import type { Block, Extends, FromImport, Import, Include } from "../tree.ts";
import {
  iterate,
  Markup,
  PyDict,
  PyError,
  type PyValue,
  str,
  truthy,
  typeName,
  Undefined,
} from "../values/mod.ts";
import type { Compilation } from "./compilation.ts";
import { compileExpression } from "./expression.ts";
import { type CompiledTemplate, Context, type Evaluate, type Execute, type Frame } from "./frame.ts";
import { TemplateModule } from "./module.ts";

/** A template that is not in the bundle; `ignore missing` passes over it. */
class MissingTemplate extends PyError {
  constructor(message: string, hint?: string) {
    super("runtime", message, hint);
  }
}

/** Compiles the spot where a block prints. */
export function compileBlockCall(c: Compilation, scope: Scope, node: Block): Execute | undefined {
  if (scope.topLevel && c.knownExtends) return undefined;
  const { name, place, required } = node;
  const locals = node.scoped ? writtenNames(scope) : undefined;
  const print: Execute = (frame, out) => {
    frame.run.at = place;
    const chain = frame.context.blocks.get(name) ?? [];
    if (required && chain.length <= 1) throw new PyError("runtime", `Required block '${name}' not found`);
    const context = locals === undefined ? frame.context : frame.context.derived(locals(frame));
    frame.run.enter();
    chain[0]?.render(context, out);
    frame.run.leave();
  };
  if (!scope.topLevel || c.extendsCount === 0) return print;
  return (frame, out) => {
    if (frame.root.parentTemplate === undefined) print(frame, out);
  };
}

/** Compiles `extends`: the parent's blocks join the chain, and the parent is rendered when this template is done. */
export function compileExtends(c: Compilation, scope: Scope, node: Extends): Execute {
  const { place } = node;
  if (!scope.topLevel) throw syntaxError(place, "cannot use extend from a non top-level scope");
  const template = compileExpression(c, scope, node.template);
  if (scope.rootLevel) c.knownExtends = true;
  c.extendsCount++;
  return (frame) => {
    if (frame.root.parentTemplate !== undefined) {
      frame.run.at = place;
      throw new PyError("runtime", "extended multiple times");
    }
    const name = template(frame);
    frame.run.at = place;
    const parent = loadTemplate(frame, name);
    frame.context.addBlocks(parent);
    frame.root.parentTemplate = parent;
  };
}

/** Compiles `include`. */
export function compileInclude(c: Compilation, scope: Scope, node: Include): Execute {
  const { place, ignoreMissing, withContext } = node;
  const origin = { place, isData: false };
  const template = compileExpression(c, scope, node.template);
  const locals = writtenNames(scope);
  return (frame, out) => {
    const names = template(frame);
    frame.run.at = place;
    const found = ignoreMissing
      ? unlessMissing(() => selectTemplate(frame, names))
      : selectTemplate(frame, names);
    if (found === undefined) return;
    if (withContext) {
      renderTemplate(new Context(frame.run, found, frame.context.all(locals(frame))), found, out);
    } else {
      out.write(defaultModule(frame, found).toStr(), origin);
    }
  };
}

/** Compiles `import ... as`. */
export function compileImport(c: Compilation, scope: Scope, node: Import): Execute {
  const { name } = node;
  const load = compileModule(c, scope, node);
  const write = nameWriter(scope, name);
  return (frame) => {
    const module = load(frame);
    write(frame, module);
    if (scope.topLevel) keepForOwnUse(frame, name, module);
  };
}

/** Compiles `from ... import`. */
export function compileFromImport(c: Compilation, scope: Scope, node: FromImport): Execute {
  const load = compileModule(c, scope, node);
  const position = `line ${node.place.line} in '${c.source.name}'`;
  const names = node.names.map(({ name, alias }) => ({ name, alias, write: nameWriter(scope, alias) }));
  return (frame) => {
    const module = load(frame);
    for (const { name, alias, write } of names) {
      const found = module.attribute(name);
      const value = found === undefined ? notExported(frame, module, name, position) : found;
      write(frame, value);
      if (scope.topLevel) keepForOwnUse(frame, alias, value);
    }
  };
}

function notExported(frame: Frame, module: TemplateModule, name: string, position: string): PyValue {
  const hint =
    `the template '${module.name}' (imported on ${position}) does not export the requested name '${name}'`;
  return frame.context.undefined({ hint, name });
}

/** What a template imports is seen by its blocks but not exported again. */
function keepForOwnUse(frame: Frame, name: string, value: PyValue): void {
  frame.context.own.set(name, value);
  if (!name.startsWith("_")) frame.context.exported.delete(name);
}

function compileModule(
  c: Compilation,
  scope: Scope,
  node: Import | FromImport,
): (frame: Frame) => TemplateModule {
  const { place, withContext } = node;
  const template: Evaluate = compileExpression(c, scope, node.template);
  const locals = writtenNames(scope);
  return (frame) => {
    const name = template(frame);
    frame.run.at = place;
    const found = loadTemplate(frame, name);
    if (!withContext) return defaultModule(frame, found);
    return makeModule(frame, found, frame.context.all(locals(frame)));
  };
}

/** Renders a template's root, one level deeper. */
export function renderTemplate(context: Context, template: CompiledTemplate, out: Sink): void {
  context.run.enter();
  template.render(context, out);
  context.run.leave();
}

/** The module of a template that was imported without context; made once in a render. */
function defaultModule(frame: Frame, template: CompiledTemplate): TemplateModule {
  const known = frame.run.modules.get(template);
  if (known !== undefined) return known;
  const module = makeModule(frame, template, frame.run.options.globals);
  frame.run.modules.set(template, module);
  return module;
}

function makeModule(
  frame: Frame,
  template: CompiledTemplate,
  given: ReadonlyMap<string, PyValue>,
): TemplateModule {
  const context = new Context(frame.run, template, given);
  const out = new Capture(frame.run.limits.maxOutputBytes);
  renderTemplate(context, template, out);
  return new TemplateModule(template.name, out.text, context.exports());
}

/** The template of a name, or the first one there is of several names. */
function selectTemplate(frame: Frame, names: PyValue): CompiledTemplate {
  if (typeof names === "string" || names instanceof Undefined || names instanceof Markup) {
    return loadTemplate(frame, names);
  }
  if (!truthy(names)) {
    throw new MissingTemplate("Tried to select from an empty list of templates.");
  }
  const tried: PyValue[] = [];
  for (const name of iterate(names)) {
    const found = findTemplate(frame, name);
    if (found !== undefined) return found;
    tried.push(name);
  }
  throw new MissingTemplate(
    "runtime",
    `none of the templates given were found: ${tried.map(str).join(", ")}`,
  );
}

function loadTemplate(frame: Frame, name: PyValue): CompiledTemplate {
  const found = findTemplate(frame, name);
  if (found !== undefined) return found;
  if (name instanceof Undefined) throw name.error();
  const text = str(name);
  throw new MissingTemplate(
    `Template '${text}' not found`,
    didYouMean(text, frame.run.options.templates.keys()),
  );
}

function findTemplate(frame: Frame, name: PyValue): CompiledTemplate | undefined {
  if (Array.isArray(name) || name instanceof PyDict) {
    throw new PyError("type", `unhashable type: '${typeName(name)}'`);
  }
  const text = name instanceof Markup ? name.text : name;
  if (typeof text !== "string") return undefined;
  const broken = frame.run.options.broken.get(text);
  if (broken !== undefined) throw broken;
  return frame.run.options.templates.get(text);
}

function unlessMissing<T>(load: () => T): T | undefined {
  try {
    return load();
  } catch (error) {
    if (error instanceof MissingTemplate) return undefined;
    throw error;
  }
}
