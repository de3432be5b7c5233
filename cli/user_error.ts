/**
 * Which errors are for people: they say what to mend, and need no stack trace. Everything else is a bug and keeps its trace.
 */
import { ApiError, ConfigError, KubeConfigError, NoMatchError, RenderError } from "../engine/mod.ts";

/** The exit code for an error that a person can mend (2: wrong use, 1: everything else); undefined for a bug. */
export function exitCodeOf(error: unknown): 1 | 2 | undefined {
  if (error instanceof KubeConfigError || error instanceof ConfigError) return 2;
  if (error instanceof ApiError || error instanceof NoMatchError || error instanceof RenderError) return 1;
  return undefined;
}

/** What stderr says of an error that a person can mend: one line each; problems of templates with the line of the template and a caret. */
export function wordsFor(error: Error): string {
  return error instanceof RenderError ? error.withExcerpts : error.message.replaceAll("\n", "; ");
}
