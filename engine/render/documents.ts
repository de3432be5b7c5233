/**
 * Printed text becomes documents, each of which knows which line of which template printed any part of it. Sole importer of YAML in this
 * layer.
 */
import { readDocuments, YamlError, type YamlPath, type YamlValue } from "../yaml/mod.ts";
import type { Printed, TemplatePosition } from "./language.ts";
import { RenderError, type RenderProblem } from "./render_error.ts";

/** One document that a template printed. */
export interface PrintedDocument {
  readonly value: YamlValue;
  /** 1-based, among the documents of its template that are not empty. */
  readonly number: number;
  /** The value as JSON text with its keys in their order. */
  jsonText(): string;
  /** The template line that printed a key or list item, or the nearest thing around it that is there. */
  placeOf(path: YamlPath): TemplatePosition;
}

/** Reads what `template` printed. Throws `RenderError` of kind `yaml`. */
export function readPrinted(printed: Printed, template: string): readonly PrintedDocument[] {
  const positionOf = (line: number) => printed.positionOf(line) ?? { template, line: 1 };
  try {
    return readDocuments(printed.text).map((document, index) => ({
      value: document.value,
      number: index + 1,
      jsonText: () => document.jsonText(),
      placeOf: (path) => positionOf(nearestLine(document, path)),
    }));
  } catch (cause) {
    if (!(cause instanceof YamlError)) throw cause;
    const problem: RenderProblem = {
      kind: "yaml",
      ...positionOf(cause.line),
      message: holdsSecret(printed.text) ? withoutQuotations(cause.message) : cause.message,
    };
    throw new RenderError([problem], { cause });
  }
}

function nearestLine(
  document: { readonly line: number; lineOf(path: YamlPath): number | undefined },
  path: YamlPath,
): number {
  for (let length = path.length; length > 0; length--) {
    const line = document.lineOf(path.slice(0, length));
    if (line !== undefined) return line;
  }
  return document.line;
}

/** The text could not be read, so this can only be a guess; it errs on the side of silence. */
function holdsSecret(text: string): boolean {
  return /kind["']?\s*:\s*["']?Secret\b/.test(text);
}

/** A message of the reader quotes what it stumbled over, and in a Secret that may be a value. */
function withoutQuotations(message: string): string {
  return message.replace(/`[^`]*`|"[^"]*"|'[^']*'/g, "(hidden, it may be a value of a Secret)");
}
