/**
 * The door of this Jinja2: sources of templates go in, a bundle comes out that renders any of them by name. Everything
 * is compiled at once, so that all syntax errors are known before anything is rendered. A render is a pure function of
 * bundle and context: no clock, no chance, nothing kept from one render to the next.
 */
import { compileTemplate } from "./evaluator/template.ts";
import { type CompiledTemplate, Context, Run, type RunOptions } from "./evaluator/frame.ts";
import { didYouMean, TemplateError } from "./errors.ts";
import { DEFAULT_LIMITS, type RenderLimits } from "./limits.ts";
import { type LineMap, MainOutput } from "./output.ts";
import { parseTemplate } from "./parser/mod.ts";
import { type PyDict, PyError, type PyValue, type UndefinedKind } from "./values/mod.ts";
import { filters } from "./filters/mod.ts";
import { globals } from "./globals/mod.ts";
import { tests } from "./tests/mod.ts";

/** How templates are read; names and meanings are those of Jinja2's Environment, everything is off by default. */
export interface JinjaOptions {
  readonly trimBlocks?: boolean;
  readonly lstripBlocks?: boolean;
  readonly keepTrailingNewline?: boolean;
  /** What an undefined value may be used for; `lenient` by default. */
  readonly undefined?: UndefinedKind;
  /** Names that every template sees besides Jinja2's own globals, imported ones too; a context's names hide them. */
  readonly globals?: ReadonlyMap<string, PyValue>;
  /**
   * `name(...)` calls the global of that name when the context hides it by a value that cannot be called: a value
   * `namespace` then leaves `namespace()` in reach, where Jinja2 raises a type error.
   */
  readonly callsHiddenGlobals?: boolean;
}

/** What a template printed. */
export interface RenderResult {
  readonly text: string;
  /** Which template line began each line of the text. */
  readonly lines: LineMap;
}

/**
 * Compiles templates by name. A template with a syntax error does not stop the others: the bundle tells all such errors
 * in `errors`, and a render that needs such a template fails with its error.
 *
 * @example
 * const bundle = compileTemplates(new Map([["demo", "Hello [{ name }]"]]));
 * const { text } = bundle.render("demo", values);
 */
export function compileTemplates(
  sources: ReadonlyMap<string, string>,
  options: JinjaOptions = {},
): JinjaBundle {
  const undefinedKind = options.undefined ?? "lenient";
  const templates = new Map<string, CompiledTemplate>();
  const broken = new Map<string, TemplateError>();
  for (const [name, text] of sources) {
    try {
      const parsed = parseTemplate({ name, text }, {
        trimBlocks: options.trimBlocks ?? false,
        lstripBlocks: options.lstripBlocks ?? false,
        keepTrailingNewline: options.keepTrailingNewline ?? false,
      });
      templates.set(name, compileTemplate(parsed, { filters, tests, undefinedKind }));
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      broken.set(name, error);
    }
  }
  return new JinjaBundle({
    templates,
    broken,
    globals: new Map([...globals, ...options.globals ?? []]),
    filters,
    tests,
    undefinedKind,
    callsHiddenGlobals: options.callsHiddenGlobals ?? false,
  });
}

/** Compiled templates that may include, import and extend one another. */
export class JinjaBundle {
  readonly #options: Omit<RunOptions, "limits">;

  /** Use {@link compileTemplates}. */
  constructor(options: Omit<RunOptions, "limits">) {
    this.#options = options;
  }

  /** The first syntax error of each template that has one. */
  get errors(): readonly TemplateError[] {
    return [...this.#options.broken.values()];
  }

  /**
   * Renders one template. Templates may change the lists and mappings of the context.
   *
   * Throws {@link TemplateError} with kind, template, line and column; its `cause` is a `LimitError` where a
   * bound was passed.
   */
  render(name: string, context: PyDict, limits: Partial<RenderLimits> = {}): RenderResult {
    const template = this.#template(name);
    const options: RunOptions = { ...this.#options, limits: { ...DEFAULT_LIMITS, ...limits } };
    const run = new Run(options, template.start);
    const out = new MainOutput(options.limits.maxOutputBytes);
    try {
      template.render(new Context(run, template, givenNames(options.globals, context)), out);
      return out.finish();
    } catch (error) {
      throw placed(run, error);
    }
  }

  #template(name: string): CompiledTemplate {
    const { templates, broken } = this.#options;
    const template = templates.get(name);
    if (template !== undefined) return template;
    const hint = didYouMean(name, templates.keys());
    throw broken.get(name) ??
      new TypeError(`No template '${name}' in the bundle${hint === undefined ? "" : `. ${hint}`}`);
  }
}

function givenNames(globals: ReadonlyMap<string, PyValue>, context: PyDict): ReadonlyMap<string, PyValue> {
  const names = new Map(globals);
  for (const [name, value] of context.entries()) {
    if (typeof name === "string") names.set(name, value);
  }
  return names;
}

/** An error of values, filters or the stack, told at the last place that was passed. */
function placed(run: Run, error: unknown): TemplateError {
  if (error instanceof TemplateError) return error;
  if (error instanceof PyError) {
    const { kind, message: detail, hint } = error;
    return new TemplateError(run.at, { kind, detail, hint, cause: error });
  }
  const tooDeep = error instanceof RangeError && error.message.includes("call stack");
  const detail = tooDeep
    ? "Recursion is deeper than the stack allows"
    : `Fault of the template engine: ${error instanceof Error ? error.message : String(error)}`;
  return new TemplateError(run.at, { kind: "runtime", detail, cause: error });
}
