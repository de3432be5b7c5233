/**
 * npm:nunjucks behind the port, with its own semantics: for authors who bring nunjucks templates from the Node world. What differs from
 * Jinja2 is in docs/nunjucks.md.
 *
 * It makes JavaScript of templates, and what it hides from them (`nunjucks_library.ts`) is a courtesy and no wall. The wall is the cage, and since
 * each implementation has a cage of its own, there is nothing of others inside.
 */
import type {
  CompiledTemplates,
  LanguageOptions,
  Printed,
  TemplateLanguage,
  TemplateSession,
} from "./language.ts";
import { type CompiledTemplate, NUNJUCKS } from "./nunjucks_library.ts";
import { type Failure, TemplateEnvironment, TemplateFault } from "./nunjucks_environment.ts";
import { printedAt } from "./nunjucks_places.ts";
import { readValue } from "./nunjucks_values.ts";
import { RenderError, type RenderErrorKind, type RenderProblem } from "./render_error.ts";

/** See the comment of the file. */
export const NUNJUCKS_LANGUAGE: TemplateLanguage = {
  compile(sources, required, options) {
    const bundle = new NunjucksBundle(sources, options);
    const refused = required.flatMap((name) => bundle.problemOf(name) ?? []);
    if (refused.length > 0) throw new RenderError(refused);
    return bundle;
  },
};

class NunjucksBundle implements CompiledTemplates {
  readonly sources: ReadonlyMap<string, string>;
  readonly options: LanguageOptions;
  readonly environment: TemplateEnvironment;
  readonly #compiled = new Map<string, CompiledTemplate | RenderProblem>();

  constructor(sources: ReadonlyMap<string, string>, options: LanguageOptions) {
    this.sources = sources;
    this.options = options;
    this.environment = new TemplateEnvironment({ getSource: (name) => this.#sourceOf(name) }, options);
    for (const [name, text] of sources) this.#compiled.set(name, compile(name, text, this.environment));
  }

  /** Why a template does not compile. */
  problemOf(name: string): RenderProblem | undefined {
    const compiled = this.#compiled.get(name);
    return compiled !== undefined && isProblem(compiled) ? compiled : undefined;
  }

  open(values: ReadonlyMap<string, string>): TemplateSession {
    return new NunjucksSession(this, values);
  }

  #sourceOf(name: string) {
    const compiled = this.#compiled.get(name);
    if (compiled === undefined) return null;
    if (isProblem(compiled)) throw new RenderError([compiled]);
    return { src: { type: "code" as const, obj: compiled }, path: name };
  }
}

class NunjucksSession implements TemplateSession {
  readonly #bundle: NunjucksBundle;
  readonly #values: Map<string, string>;

  constructor(bundle: NunjucksBundle, values: ReadonlyMap<string, string>) {
    this.#bundle = bundle;
    this.#values = new Map(values);
  }

  set(values: ReadonlyMap<string, string>): void {
    for (const [name, value] of values) this.#values.set(name, value);
  }

  render(template: string): Printed {
    const { environment, options, sources } = this.#bundle;
    environment.begin(template);
    try {
      const text = environment.getTemplate(template, true).render(this.#context());
      if (environment.failure !== undefined) throw environment.failure.error;
      if (typeof text !== "string") throw new Error(`Template ${template} printed nothing`);
      if (text.length > options.outputBytes) throw environment.outputFault();
      const { marks } = environment;
      return { text, positionOf: (line) => printedAt(line, { text, marks, sources }) };
    } catch (error) {
      // The library throws its own error with the words of all levels in one text; the first one is the cause.
      const failure = environment.failure ?? { error, place: environment.place };
      throw new RenderError(problemsOf(failure, sources), { cause: failure.error });
    }
  }

  /** Read anew for each template: what one does to a list is not seen by the next. */
  #context(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(Array.from(this.#values, ([name, text]) => [name, readValue(text)]));
  }
}

function isProblem(compiled: CompiledTemplate | RenderProblem): compiled is RenderProblem {
  return typeof compiled.message === "string";
}

function compile(
  template: string,
  text: string,
  { opts }: TemplateEnvironment,
): CompiledTemplate | RenderProblem {
  try {
    const code = NUNJUCKS.compiler.compile(text, [], [], template, opts);
    const compiled: CompiledTemplate = new Function(code)();
    return compiled;
  } catch (error) {
    const lines = text.split("\n");
    // The end of the file has no position in the library.
    const line = numberOf(error, "lineno") ?? lines.length;
    const column = numberOf(error, "colno");
    return { kind: "syntax", template, line, column, message: wordsOf(error), sourceLine: lines[line - 1] };
  }
}

function problemsOf(
  { error, place }: Failure,
  sources: ReadonlyMap<string, string>,
): readonly RenderProblem[] {
  if (error instanceof RenderError) return error.problems;
  const [line = "", column = "", ...names] = place.split(":");
  const template = names.join(":");
  const sourceLine = sources.get(template)?.split("\n")[Number(line) - 1];
  const hint = error instanceof TemplateFault ? error.hint : undefined;
  const position = { template, line: Number(line), column: Number(column), sourceLine };
  return [{ kind: kindOf(error), ...position, message: wordsOf(error), hint }];
}

function kindOf(error: unknown): RenderErrorKind {
  if (error instanceof TemplateFault) return error.kind;
  if (error instanceof RangeError && /call stack|length/.test(error.message)) return "limit";
  if (error instanceof TypeError) return "type";
  return "runtime";
}

/** The cause in words: of JavaScript's own errors, too. */
function wordsOf(error: unknown): string {
  if (error instanceof TemplateFault) return error.message;
  const words = error instanceof Error ? error.message : String(error);
  if (/call stack/.test(words)) return "Macros or includes call one another too deeply";
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function numberOf(error: unknown, property: string): number | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const value: unknown = Reflect.get(error, property);
  return typeof value === "number" ? value : undefined;
}
