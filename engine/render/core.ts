/**
 * The core of rendering, pure: a bundle is compiled, an instance goes in, manifests come out. The cage runs it in a Worker, unit tests and
 * offline tools run it where they are.
 *
 * The order: values templates first, each seeing what the ones before printed, then every template, then the checks. A
 * template that fails does not keep the others from being tried, so that all problems are known at once.
 */
import type { Bundle } from "../implementation/mod.ts";
import { isJsonObject, type JsonObject } from "../meta/json.ts";
import type { Manifest } from "../meta/manifest.ts";
import { type PrintedDocument, readPrinted } from "./documents.ts";
import { foreignBracesHint } from "./foreign_braces.ts";
import { joinMembers, jsonMembers } from "./json_text.ts";
import { OUTPUT_HINT } from "./limit_hint.ts";
import type { CompiledTemplates, TemplateLanguage, TemplateSession } from "./language.ts";
import { refuseTwins, toManifests } from "./manifests.ts";
import { RenderError, type RenderProblem } from "./render_error.ts";
import type { Rendered, RenderRequest, StatusRequest } from "./renderer.ts";
import { instanceValues, resultValue } from "./template_values.ts";

/** A result without its digest, which takes another turn of the event loop. */
export type RenderOutcome = Omit<Rendered, "digest">;

/** What a bundle needs besides itself. */
export interface CoreOptions {
  readonly language: TemplateLanguage;
  /** Told before each template is rendered, so that somebody outside knows which one hangs. */
  readonly onTemplate?: (template: string) => void;
  /** Milliseconds of a clock that only runs forward: the time limit goes by it, templates never see it. */
  readonly now: () => number;
}

/** Names for texts of implementation.yaml that are templates themselves. */
const HISTORY_NAME = "implementation.yaml: history.name";
const namespaceName = (index: number) => `implementation.yaml: namespaces[${index}]`;

/** A compiled bundle. */
export class BundleCore {
  readonly #bundle: Bundle;
  readonly #compiled: CompiledTemplates;
  readonly #onTemplate: (template: string) => void;
  readonly #now: () => number;
  #deadline = Infinity;

  /** Compiles. Throws `RenderError` with the problems of every template that the bundle needs. */
  constructor(bundle: Bundle, { language, onTemplate = () => {}, now }: CoreOptions) {
    const { implementation } = bundle;
    const sources = new Map([...bundle.sources, ...inlineTemplates(bundle)]);
    this.#bundle = { ...bundle, sources };
    this.#onTemplate = onTemplate;
    this.#now = now;
    this.#compiled = language.compile(sources, neededTemplates(bundle, sources), {
      undefined: implementation.undefined,
      ...implementation.limits,
      interrupted: () => this.#now() > this.#deadline,
      ...implementation.options,
    });
  }

  /** Renders an instance. Throws `RenderError`. */
  render(request: RenderRequest): RenderOutcome {
    const { implementation } = this.#bundle;
    const round = this.#open(instanceValues(request));
    const values = this.#addValues(round);
    const problems: RenderProblem[] = [];
    const manifests: Manifest[] = [];
    for (const template of implementation.templates) {
      const documents = collecting(problems, () => this.#read(round, template)) ?? [];
      for (const manifest of toManifests(documents, problems)) manifests.push(manifest);
    }
    refuseTwins(manifests, problems);
    const word = (template: string) => collecting(problems, () => this.#word(round, template)) ?? "";
    const historyName = implementation.history.name === undefined ? undefined : word(HISTORY_NAME);
    const namespaces = implementation.namespaces.map((_, index) => word(namespaceName(index)));
    if (problems.length > 0) throw new RenderError(problems.map((problem) => this.#withSource(problem)));
    return { manifests, values, namespaces, ...(historyName === undefined ? {} : { historyName }) };
  }

  /** Renders the status template; an empty mapping where there is none. Throws `RenderError`. */
  renderStatus(request: StatusRequest): JsonObject {
    const { status } = this.#bundle.implementation;
    if (status === undefined) return {};
    const round = this.#open(new Map([...instanceValues(request), ...resultValue(request.result)]));
    this.#addValues(round);
    const document = this.#mapping(round, status);
    return isJsonObject(document?.value) ? document.value : {};
  }

  /**
   * Renders one template with just these values (JSON text of a mapping). Gives the JSON text of each document as it was read, after the checks
   * that a render makes. Throws `RenderError`.
   */
  renderDocuments(template: string, values: string): readonly string[] {
    const documents = this.#placed(() => this.#read(this.#open(jsonMembers(values)), template));
    const problems: RenderProblem[] = [];
    refuseTwins(toManifests(documents, problems), problems);
    if (problems.length > 0) throw new RenderError(problems.map((problem) => this.#withSource(problem)));
    return documents.map((document) => document.jsonText());
  }

  #open(values: ReadonlyMap<string, string>): Round {
    const { renderMs, outputBytes } = this.#bundle.implementation.limits;
    this.#deadline = this.#now() + renderMs;
    return { session: this.#compiled.open(values), bytesLeft: outputBytes };
  }

  /** Renders the values templates one after the other; gives all that they printed as one JSON text. */
  #addValues(round: Round): string {
    const all = new Map<string, string>();
    for (const template of this.#bundle.implementation.values) {
      const document = this.#mapping(round, template);
      const printed = document === undefined ? new Map<string, string>() : jsonMembers(document.jsonText());
      round.session.set(printed);
      for (const [name, value] of printed) all.set(name, value);
    }
    return joinMembers(all);
  }

  /** The one mapping that a template prints, or nothing. */
  #mapping(round: Round, template: string): PrintedDocument | undefined {
    return this.#placed(() => {
      const [document, second] = this.#read(round, template);
      const wrong = second !== undefined
        ? { at: second, message: "Only one document may be printed here" }
        : document !== undefined && !isJsonObject(document.value)
        ? { at: document, message: "A mapping has to be printed here, `name: value` on each line" }
        : undefined;
      if (wrong === undefined) return document;
      throw new RenderError([{ kind: "manifest", ...wrong.at.placeOf([]), message: wrong.message }]);
    });
  }

  /** A single word, as a name has to be. */
  #word(round: Round, template: string): string {
    const text = this.#print(round, template).text.trim();
    if (/^[^\s/%]{1,253}$/.test(text)) return text;
    const message = "A name has to come out, up to 253 characters without blanks, `/` and `%`";
    throw new RenderError([{ kind: "manifest", template, line: 1, message }]);
  }

  #read(round: Round, template: string): readonly PrintedDocument[] {
    return readPrinted(this.#print(round, template), template);
  }

  #print(round: Round, template: string): ReturnType<TemplateSession["render"]> {
    this.#onTemplate(template);
    const printed = round.session.render(template);
    round.bytesLeft -= byteLength(printed.text);
    if (round.bytesLeft >= 0) return printed;
    const limit = this.#bundle.implementation.limits.outputBytes;
    const message = `The templates print more than the limit of ${limit} bytes together`;
    throw new RenderError([{ kind: "limit", template, message, hint: OUTPUT_HINT }]);
  }

  /** Runs an action; the problems that it throws get the line of the template. */
  #placed<T>(action: () => T): T {
    const problems: RenderProblem[] = [];
    const result = collecting(problems, () => ({ value: action() }));
    if (result !== undefined) return result.value;
    throw new RenderError(problems.map((problem) => this.#withSource(problem)));
  }

  #withSource(problem: RenderProblem): RenderProblem {
    const { template, line, sourceLine } = problem;
    if (sourceLine !== undefined || template === undefined || line === undefined) return problem;
    const text = this.#bundle.sources.get(template)?.split("\n", line)[line - 1]?.replace(/\r$/, "");
    if (text === undefined) return problem;
    return { ...problem, sourceLine: text, hint: problem.hint ?? foreignBracesHint(problem, text) };
  }
}

/** One render of one instance. */
interface Round {
  readonly session: TemplateSession;
  bytesLeft: number;
}

function inlineTemplates({ implementation }: Bundle): readonly (readonly [string, string])[] {
  const { history, namespaces } = implementation;
  const names = namespaces.map((text, index) => [namespaceName(index), text] as const);
  return history.name === undefined ? names : [...names, [HISTORY_NAME, history.name]];
}

/**
 * What has to compile: the listed templates, and whatever these mention by name (macros, includes). Other files of the sources may be
 * something else.
 */
function neededTemplates(bundle: Bundle, sources: ReadonlyMap<string, string>): readonly string[] {
  const { values, templates, status, jobs } = bundle.implementation;
  const needed = new Set([
    ...values,
    ...templates,
    ...(status === undefined ? [] : [status]),
    ...jobs.map((job) => job.template),
    ...inlineTemplates(bundle).map(([name]) => name),
  ]);
  for (const name of needed) {
    const text = sources.get(name) ?? "";
    // A set that grows while it is walked: what is added is walked, too.
    for (const other of sources.keys()) if (text.includes(other)) needed.add(other);
  }
  return [...needed];
}

/** Runs an action; problems that it throws are collected, and the result is undefined then. */
function collecting<T>(problems: RenderProblem[], action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

const ENCODER = new TextEncoder();

function byteLength(text: string): number {
  return ENCODER.encode(text).length;
}
