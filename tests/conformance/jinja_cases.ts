/**
 * Conformance cases of the template language: a file of cases goes in, a verdict for each comes out. A case is one
 * template with what real Jinja2 gives for it (see the README of the cases); it runs through the same bundle and render
 * as in production. Nothing is shared between cases.
 */
import { compileTemplates } from "../../engine/render/jinja/environment.ts";
import { TemplateError } from "../../engine/render/jinja/errors.ts";
import { fromJson, PyDict } from "../../engine/render/jinja/values/mod.ts";

/** One line of a file of cases. */
export interface ConformanceCase {
  readonly id: string;
  readonly group: string;
  readonly template: string;
  readonly templates?: Readonly<Record<string, string>>;
  readonly context: Readonly<Record<string, unknown>>;
  readonly options?: {
    readonly trim_blocks?: boolean;
    readonly lstrip_blocks?: boolean;
    readonly keep_trailing_newline?: boolean;
    readonly undefined?: "strict" | "chainable";
  };
  readonly expected?: string;
  readonly error?: string;
  readonly line?: number;
  readonly forbid?: readonly string[];
  readonly accept?: readonly string[];
}

/** What rendering a case gave. */
export type Outcome =
  | { readonly text: string }
  | { readonly error: string; readonly kind: string; readonly line: number | undefined };

/** A case with what it gave and whether that is right. */
export interface Verdict {
  readonly case: ConformanceCase;
  readonly outcome: Outcome;
  readonly passed: boolean;
  /** The output holds what the sandbox has to keep in. */
  readonly escaped: boolean;
  /** For cases that must fail: the error is of the right kind. */
  readonly kindMatches: boolean | undefined;
  /** For cases that must fail at a known line: the error names it. */
  readonly lineMatches: boolean | undefined;
  readonly milliseconds: number;
}

const MAIN = "main";

/** Reads a file of cases, one JSON object a line. */
export async function readCases(path: string | URL): Promise<ConformanceCase[]> {
  const text = await Deno.readTextFile(path);
  return text.split("\n").filter((line) => line.trim() !== "").map((line) => {
    const value: ConformanceCase = JSON.parse(line);
    return value;
  });
}

/** Renders a case and judges it. */
export function judge(testCase: ConformanceCase): Verdict {
  const start = performance.now();
  const outcome = render(testCase);
  const milliseconds = performance.now() - start;
  const { expected, error, line, forbid, accept } = testCase;
  const text = "text" in outcome ? outcome.text : undefined;
  const failed = text === undefined;
  const escaped = text !== undefined && forbid !== undefined && !(accept ?? []).includes(text) &&
    forbid.some((secret) => text.includes(secret));
  return {
    case: testCase,
    outcome,
    passed: expected !== undefined
      ? text === expected
      : error !== undefined
      ? failed
      : failed || (accept ?? []).includes(text),
    escaped,
    kindMatches: error === undefined ? undefined : "error" in outcome && outcome.kind === error,
    lineMatches: error === undefined || line === undefined
      ? undefined
      : "error" in outcome && outcome.line === line,
    milliseconds,
  };
}

function render(testCase: ConformanceCase): Outcome {
  const { options = {}, templates = {} } = testCase;
  const context = fromJson(JSON.stringify(testCase.context));
  if (!(context instanceof PyDict)) throw new TypeError(`The context of case ${testCase.id} is no mapping`);
  try {
    const bundle = compileTemplates(new Map([...Object.entries(templates), [MAIN, testCase.template]]), {
      trimBlocks: options.trim_blocks ?? false,
      lstripBlocks: options.lstrip_blocks ?? false,
      keepTrailingNewline: options.keep_trailing_newline ?? false,
      undefined: options.undefined ?? "lenient",
    });
    return { text: bundle.render(MAIN, context).text };
  } catch (error) {
    if (error instanceof TemplateError && !isFault(error)) {
      return { error: error.message, kind: error.kind, line: error.line };
    }
    const told = error instanceof Error ? error.stack ?? error.message : String(error);
    return { error: told, kind: "crash", line: undefined };
  }
}

/** A fault of the engine itself is never what a case asks for. */
function isFault(error: TemplateError): boolean {
  return error.detail.startsWith("Fault of the template engine");
}
