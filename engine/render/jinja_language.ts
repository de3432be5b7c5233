/**
 * Our own Jinja2 behind the port: values come as JSON text and become Python values, errors leave as problems.
 */
import { compileTemplates, type JinjaBundle } from "./jinja/environment.ts";
import { TemplateError } from "./jinja/errors.ts";
import { LimitError } from "./jinja/limits.ts";
import { templatePositionOf } from "./jinja/output.ts";
import { fromJson, PyCallable, PyDict, PyError, type PyValue, str } from "./jinja/values/mod.ts";
import type {
  CompiledTemplates,
  LanguageOptions,
  Printed,
  TemplateLanguage,
  TemplateSession,
} from "./language.ts";
import { OUTPUT_HINT, timeHint } from "./limit_hint.ts";
import { RenderError, type RenderProblem } from "./render_error.ts";

/** Jinja2, as `engine/render/jinja` reads it, with `fail(message)` as one more global. */
export const JINJA_LANGUAGE: TemplateLanguage = {
  compile(sources, required, options) {
    const { undefined: kind, trimBlocks, lstripBlocks } = options;
    const bundle = compileTemplates(sources, {
      undefined: kind,
      trimBlocks,
      lstripBlocks,
      globals: new Map([["fail", FAIL]]),
      // The value `namespace` of a namespaced instance would take `namespace()` away.
      callsHiddenGlobals: true,
    });
    const refused = bundle.errors.filter((error) => required.includes(error.template));
    if (refused.length > 0) throw new RenderError(refused.map((error) => problemOf(error, options)));
    const shared = ![...sources.values()].some((text) => MUTATION.test(text));
    return {
      open: (values) => new JinjaSession({ bundle, options, values, shared }),
    } satisfies CompiledTemplates;
  },
};

const FAIL = new PyCallable("fail", ([message]) => {
  throw new PyError("runtime", message === undefined ? "fail() needs a message" : str(message));
});

/**
 * The methods by which a template changes a list or mapping, called or named. Where no source has one, the values are read once for all templates of
 * an instance; else anew for each, so that what one does to a list is not seen by the next.
 */
const MUTATION = (() => {
  const names = "(?:append|clear|extend|insert|pop|popitem|remove|reverse|setdefault|sort|update)";
  return new RegExp(`\\.\\s*${names}\\b|\\[\\s*["']${names}["']\\s*\\]|\\battr\\b`);
})();

interface SessionOptions {
  readonly bundle: JinjaBundle;
  readonly options: LanguageOptions;
  readonly values: ReadonlyMap<string, string>;
  /** No template changes values. */
  readonly shared: boolean;
}

class JinjaSession implements TemplateSession {
  readonly #bundle: JinjaBundle;
  readonly #options: LanguageOptions;
  readonly #shared: boolean;
  readonly #values: Map<string, string>;
  readonly #read = new Map<string, PyValue>();

  constructor({ bundle, options, values, shared }: SessionOptions) {
    this.#bundle = bundle;
    this.#options = options;
    this.#shared = shared;
    this.#values = new Map(values);
  }

  set(values: ReadonlyMap<string, string>): void {
    for (const [name, value] of values) {
      this.#values.set(name, value);
      this.#read.delete(name);
    }
  }

  render(template: string): Printed {
    try {
      const { outputBytes, interrupted } = this.#options;
      const limits = { maxOutputBytes: outputBytes, interrupted };
      const { text, lines } = this.#bundle.render(template, this.#context(), limits);
      return { text, positionOf: (line) => templatePositionOf(lines, line) };
    } catch (cause) {
      if (cause instanceof TemplateError) throw new RenderError([problemOf(cause, this.#options)], { cause });
      throw cause;
    }
  }

  #context(): PyDict {
    if (!this.#shared) this.#read.clear();
    const context = new PyDict();
    for (const [name, text] of this.#values) {
      const value = this.#read.get(name) ?? fromJson(text);
      this.#read.set(name, value);
      context.set(name, value);
    }
    return context;
  }
}

function problemOf(error: TemplateError, options: LanguageOptions): RenderProblem {
  const { template, line, column, detail: message, sourceLine } = error;
  const place = { template, line, column, sourceLine };
  if (!(error.cause instanceof LimitError)) return { kind: error.kind, ...place, message, hint: error.hint };
  return { kind: "limit", ...place, message, hint: error.hint ?? limitHint(error.cause.limit, options) };
}

function limitHint(limit: LimitError["limit"], { renderMs }: LanguageOptions): string | undefined {
  switch (limit) {
    case "interrupted":
      return timeHint(renderMs);
    case "maxOutputBytes":
      return OUTPUT_HINT;
    default:
      return undefined;
  }
}
