/**
 * From a template's text to its tree. The lexer hands tokens to the statement parser, which asks the expression
 * parser for what stands inside the tags; the first error ends it.
 */
import type { Source } from "../errors.ts";
import { Lexer, type LexerOptions, normalise } from "../lexer.ts";
import type { Statement } from "../tree.ts";
import { StatementParser } from "./statements.ts";
import { TokenStream } from "./token_stream.ts";

/** A parsed template. */
export interface ParsedTemplate {
  readonly source: Source;
  readonly body: readonly Statement[];
}

/** Parses one template. Throws `TemplateError` of kind `syntax`. */
export function parseTemplate(
  template: { name: string; text: string },
  options: LexerOptions,
): ParsedTemplate {
  const source: Source = { name: template.name, text: normalise(template.text, options) };
  return { source, body: new StatementParser(new TokenStream(new Lexer(source, options))).parseTemplate() };
}
