/**
 * What is wrong with an implementation: all of it at once, each problem with file, line and key, because nobody wants to
 * correct a file one error at a time.
 */

/** One thing that is wrong, and what to write instead. */
export interface ConfigProblem {
  /** `implementation.yaml` of a folder, or `configmap/key`. */
  readonly file: string;
  /** 1-based. */
  readonly line?: number;
  /** Dotted path in the file: `templates[2]`, `history.limit`. */
  readonly key?: string;
  readonly message: string;
}

/** An implementation that is refused. Terminal until its source changes. The message has all problems on one line, as a log and a condition need it. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";

  constructor(readonly problems: readonly ConfigProblem[], options?: ErrorOptions) {
    super(problems.map(formatProblem).join("; "), options);
  }
}

/** `implementation.yaml line 4, templates[2]: ...` */
export function formatProblem(problem: ConfigProblem): string {
  const line = problem.line === undefined ? "" : ` line ${problem.line}`;
  const key = problem.key === undefined ? "" : `, ${problem.key}`;
  return `${problem.file}${line}${key}: ${problem.message}`;
}
