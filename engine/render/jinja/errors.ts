/**
 * What goes wrong in a template, with its place. A `Source` goes in with a place and a cause; out comes one
 * `TemplateError` that names template, line and column, shows the line with a caret, and adds a hint where one is
 * known. Lexer, parser and compiler raise it directly; what values and filters raise without a place gets its place
 * once, at the edge of a render, from the last place the evaluator passed.
 */
import { nearest } from "../../meta/mod.ts";
import type { ErrorKind } from "./values/mod.ts";

/** A template's text with line ends made `\n`; `name` is what the loader calls it. */
export interface Source {
  readonly name: string;
  readonly text: string;
}

/** A spot in a template: line and column count from 1, columns in UTF-16 units. */
export interface Place {
  readonly source: Source;
  readonly line: number;
  readonly column: number;
}

/** Parts of a {@link TemplateError} besides its place. */
export interface TemplateErrorCause {
  readonly kind: ErrorKind;
  /** The cause in words, without the place. */
  readonly detail: string;
  /** What the author may do about it. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** A template that cannot be compiled or rendered: kind, place, the source line and the cause in words. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
  readonly kind: ErrorKind;
  readonly template: string;
  readonly line: number;
  readonly column: number;
  readonly detail: string;
  readonly sourceLine: string;
  readonly hint: string | undefined;

  constructor(place: Place, why: TemplateErrorCause) {
    const sourceLine = lineOf(place.source, place.line);
    super(describe(place, why, sourceLine), { cause: why.cause });
    this.kind = why.kind;
    this.template = place.source.name;
    this.line = place.line;
    this.column = place.column;
    this.detail = why.detail;
    this.sourceLine = sourceLine;
    this.hint = why.hint;
  }
}

/** A syntax error at a place. */
export function syntaxError(place: Place, detail: string, hint?: string): TemplateError {
  return new TemplateError(place, { kind: "syntax", detail, hint });
}

function lineOf(source: Source, line: number): string {
  return source.text.split("\n", line)[line - 1] ?? "";
}

function describe(place: Place, why: TemplateErrorCause, sourceLine: string): string {
  const head = `Template ${place.source.name}, line ${place.line}, column ${place.column}: ${why.detail}`;
  const caret = `${sourceLine.slice(0, place.column - 1).replace(/[^\t]/g, " ")}^`;
  const hint = why.hint === undefined ? "" : `\n  ${why.hint}`;
  return `${head}\n  ${sourceLine}\n  ${caret}${hint}`;
}

/** "Did you mean 'x'?" or undefined. */
export function didYouMean(name: string, candidates: Iterable<string>): string | undefined {
  const found = nearest(name, candidates);
  return found === undefined ? undefined : `Did you mean '${found}'?`;
}
