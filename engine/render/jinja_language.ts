/**
 * Our own Jinja2 behind the port: values come as JSON text and become Python values, errors leave as problems.
 */
import { compileTemplates, type JinjaBundle, TemplateErrors } from "./jinja/environment.ts";
import { TemplateError } from "./jinja/errors.ts";
import { templatePositionOf } from "./jinja/output.ts";
import { fromJson, PyCallable, PyDict, PyError, str } from "./jinja/values/mod.ts";
import type {
  CompiledTemplates,
  LanguageOptions,
  Printed,
  TemplateLanguage,
  TemplateSession,
} from "./language.ts";
import { RenderError, type RenderProblem } from "./render_error.ts";

/** Jinja2, as `engine/render/jinja` reads it. */
export const JINJA_LANGUAGE: TemplateLanguage = {
  compile(sources, required, options) {
    const [good, problems] = sortOut(sources, options);
    const refused = required.flatMap((name) => problems.get(name) ?? []);
    if (refused.length > 0) throw new RenderError(refused);
    return new JinjaTemplates(compileTemplates(good, jinjaOptions(options)), options);
  },
};

function jinjaOptions({ undefined: kind, trimBlocks, lstripBlocks }: LanguageOptions) {
  return { undefined: kind, trimBlocks, lstripBlocks };
}

/** The sources that compile, and the problem of each that does not. */
function sortOut(
  sources: ReadonlyMap<string, string>,
  options: LanguageOptions,
): [Map<string, string>, Map<string, RenderProblem>] {
  const good = new Map(sources);
  const problems = new Map<string, RenderProblem>();
  try {
    compileTemplates(sources, jinjaOptions(options));
  } catch (error) {
    if (!(error instanceof TemplateErrors)) throw error;
    for (const one of error.errors) {
      good.delete(one.template);
      problems.set(one.template, problemOf(one));
    }
  }
  return [good, problems];
}

function problemOf(error: TemplateError): RenderProblem {
  const { kind, template, line, column, detail, hint, sourceLine } = error;
  return { kind, template, line, column, message: detail, hint, sourceLine };
}

class JinjaTemplates implements CompiledTemplates {
  readonly #bundle: JinjaBundle;
  readonly #options: LanguageOptions;

  constructor(bundle: JinjaBundle, options: LanguageOptions) {
    this.#bundle = bundle;
    this.#options = options;
  }

  open(values: ReadonlyMap<string, string>): TemplateSession {
    return new JinjaSession(this.#bundle, this.#options, values);
  }
}

class JinjaSession implements TemplateSession {
  readonly #bundle: JinjaBundle;
  readonly #options: LanguageOptions;
  readonly #values: Map<string, string>;

  constructor(bundle: JinjaBundle, options: LanguageOptions, values: ReadonlyMap<string, string>) {
    this.#bundle = bundle;
    this.#options = options;
    this.#values = new Map(values);
  }

  set(values: ReadonlyMap<string, string>): void {
    for (const [name, value] of values) this.#values.set(name, value);
  }

  render(template: string): Printed {
    const context = new PyDict();
    for (const [name, text] of this.#values) context.set(name, fromJson(text));
    try {
      const { text, lines } = this.#bundle.render(template, context, {
        maxOutputBytes: this.#options.outputBytes,
      });
      return { text, positionOf: (line) => templatePositionOf(lines, line) };
    } catch (cause) {
      if (cause instanceof TemplateError) throw new RenderError([problemOf(cause)], { cause });
      throw cause;
    }
  }
}
