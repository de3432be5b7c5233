/**
 * A text of several documents becomes chunks of one document each, as Kubernetes' own splitter cuts them.
 *
 * It knows no YAML: every line that begins with `---` is a separator (so block text is safe only because it is
 * indented), and nothing but a comment may follow on that line. Line ends have to be `\n` already.
 */
import { YamlError } from "./value.ts";

/** One document's text; `start` is its offset in the whole text. */
export interface Chunk {
  readonly text: string;
  readonly start: number;
}

const SEPARATOR = /^---(.*)$/gm;

/** Cuts a text at its separators. Throws `YamlError` for a separator with text behind it. */
export function splitDocuments(text: string): readonly Chunk[] {
  const chunks: Chunk[] = [];
  let start = 0;
  for (const separator of text.matchAll(SEPARATOR)) {
    const rest = separator[1]?.trim() ?? "";
    if (rest !== "" && !rest.startsWith("#")) throw badSeparator(text, separator.index);
    chunks.push({ text: text.slice(start, separator.index), start });
    start = separator.index + separator[0].length;
  }
  chunks.push({ text: text.slice(start), start });
  return chunks;
}

function badSeparator(text: string, offset: number): YamlError {
  return new YamlError(
    "A line that begins with `---` separates documents and holds nothing else; begin the document on the next line, " +
      "or indent the line if it belongs to a text",
    lineAt(text, offset),
    1,
  );
}

/** The 1-based line of an offset. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

/** The 1-based column of an offset. */
export function columnAt(text: string, offset: number): number {
  return offset - text.lastIndexOf("\n", offset - 1);
}
