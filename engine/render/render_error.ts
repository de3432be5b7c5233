/**
 * What goes wrong in a render, with the place in the template where its author has to look. Problems are plain data, so that they
 * can leave the cage; the error that is thrown holds all of them.
 *
 * Nothing here repeats printed text: it may hold a Secret. The line that is shown is that of the template.
 */

/**
 * `syntax`, `undefined`, `type` and `runtime` come from the template language, `yaml` from reading what was printed, `manifest` from the
 * engine's rules on documents, `limit` from the cage.
 */
export type RenderErrorKind = "syntax" | "undefined" | "type" | "runtime" | "yaml" | "manifest" | "limit";

/** One thing that is wrong. */
export interface RenderProblem {
  /** Which stage refuses. */
  readonly kind: RenderErrorKind;
  /** `configmap/key`; undefined where no single template is to blame. */
  readonly template?: string | undefined;
  /** 1-based, in the template. */
  readonly line?: number | undefined;
  /** 1-based, in the template; undefined where only the line is known. */
  readonly column?: number | undefined;
  /** The cause in words, without the place. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string | undefined;
  /** The line of the template. */
  readonly sourceLine?: string | undefined;
}

/**
 * A bundle that does not compile, or an instance that cannot be rendered. The properties are those of the first problem; the message has all of
 * them on one line, as a log and a condition need it.
 */
export class RenderError extends Error {
  /** For logs. */
  override readonly name = "RenderError";
  /** All that is wrong, at least one. */
  readonly problems: readonly RenderProblem[];

  /** `problems` has at least one entry. */
  constructor(problems: readonly RenderProblem[], options?: ErrorOptions) {
    super(problems.map(formatProblem).join("; "), options);
    this.problems = problems;
  }

  /** Of the first problem, as all that follow. */
  get kind(): RenderErrorKind {
    return this.problems[0]?.kind ?? "runtime";
  }

  /** `configmap/key`. */
  get template(): string | undefined {
    return this.problems[0]?.template;
  }

  /** 1-based. */
  get line(): number | undefined {
    return this.problems[0]?.line;
  }

  /** 1-based. */
  get column(): number | undefined {
    return this.problems[0]?.column;
  }

  /** The line of the template. */
  get sourceLine(): string | undefined {
    return this.problems[0]?.sourceLine;
  }

  /** What to do about it. */
  get hint(): string | undefined {
    return this.problems[0]?.hint;
  }

  /** For terminals: each problem on a line, the line of its template with a caret below it. */
  get withExcerpts(): string {
    return this.problems.map((problem) => `${formatProblem(problem)}\n${formatExcerpt(problem)}`.trimEnd())
      .join("\n");
  }
}

/** `templates-core/quota.yaml line 8, column 12: ...; write ...` */
export function formatProblem(problem: RenderProblem): string {
  const { template, line, column, message, hint } = problem;
  const place = [
    template ?? "",
    ...(line === undefined ? [] : [`line ${line}${column === undefined ? "" : `, column ${column}`}`]),
  ].join(" ").trim();
  const words = hint === undefined ? message : `${message.replace(/\.$/, "")}; ${hint}`;
  return place === "" ? words : `${place}: ${words}`;
}

/** The template's line and, where the column is known, a caret below it. */
export function formatExcerpt({ sourceLine, column }: RenderProblem): string {
  if (sourceLine === undefined) return "";
  if (column === undefined) return `  ${sourceLine}`;
  const blanks = sourceLine.slice(0, column - 1).replace(/[^\t]/g, " ");
  return `  ${sourceLine}\n  ${blanks}^`;
}
