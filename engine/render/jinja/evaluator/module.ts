/**
 * Values that stand for parts of templates: an imported template, `self` with its blocks, and one block of an
 * inheritance chain, which `self.name()` and `super()` print.
 */
import { Capture } from "../output.ts";
import { type FilterEnv, type Kwargs, Markup, PyObject, type PyValue, repr } from "../values/mod.ts";
import type { CompiledBlock, Context } from "./frame.ts";

/** An imported template: what it exports as attributes, what it printed as text. */
export class TemplateModule extends PyObject {
  override readonly typeName = "TemplateModule";
  readonly name: string;
  readonly #text: string;
  readonly #exports: ReadonlyMap<string, PyValue>;

  constructor(name: string, text: string, exports: ReadonlyMap<string, PyValue>) {
    super();
    this.name = name;
    this.#text = text;
    this.#exports = exports;
  }

  override get module(): string {
    return "jinja2.environment";
  }

  override attribute(name: string): PyValue | undefined {
    return this.#exports.get(name);
  }

  override toStr(): string {
    return this.#text;
  }

  override toRepr(): string {
    return `<TemplateModule ${repr(this.name)}>`;
  }
}

/** `self`: the blocks of the template that is rendered. */
export class SelfReference extends PyObject {
  override readonly typeName = "TemplateReference";
  readonly #context: Context;

  constructor(context: Context) {
    super();
    this.#context = context;
  }

  override attribute(name: string): PyValue | undefined {
    const chain = this.#context.blocks.get(name);
    return chain === undefined ? undefined : new BlockReference(this.#context, chain, 0);
  }

  override toRepr(): string {
    return `<TemplateReference ${repr(this.#context.templateName)}>`;
  }
}

/** One block of a chain; calling it prints it. */
export class BlockReference extends PyObject {
  override readonly typeName = "BlockReference";
  readonly #context: Context;
  readonly #chain: readonly CompiledBlock[];
  readonly #index: number;

  constructor(context: Context, chain: readonly CompiledBlock[], index: number) {
    super();
    this.#context = context;
    this.#chain = chain;
    this.#index = index;
  }

  override attribute(name: string): PyValue | undefined {
    const block = this.#chain[this.#index];
    if (block === undefined) return undefined;
    if (name === "name") return block.name;
    if (name === "super") return parentBlock(this.#context, block);
    return undefined;
  }

  override call(_args: readonly PyValue[], _kwargs: Kwargs, env: FilterEnv): PyValue {
    const { run } = this.#context;
    const out = new Capture(run.limits.maxOutputBytes);
    run.enter();
    this.#chain[this.#index]?.render(this.#context, out);
    run.leave();
    return env.autoescape ? new Markup(out.text) : out.text;
  }
}

/** The block that `current` replaces, or undefined in Jinja2's sense where there is none. */
export function parentBlock(context: Context, current: CompiledBlock): PyValue {
  const chain = context.blocks.get(current.name) ?? [];
  const index = chain.indexOf(current) + 1;
  if (index > 0 && index < chain.length) return new BlockReference(context, chain, index);
  return context.undefined({ hint: `there is no parent block called '${current.name}'.`, name: "super" });
}
