/**
 * A text of several documents becomes chunks of one document each, as Kubernetes' own splitter cuts them.
 *
 * It knows no YAML: every line that begins with `---` is a separator (so block text is safe only because it is
 * indented), and nothing but a comment may follow on that line. Line ends have to be `\n` already.
 */
import { YamlError } from "./value.ts";

/** One document's text, and the 1-based line of the whole text on which it begins. */
export interface Chunk {
  readonly text: string;
  readonly line: number;
}

const SEPARATOR = /^---(.*)$/gm;

/** Cuts a text at its separators. Throws `YamlError` for a separator with text behind it. */
export function splitDocuments(text: string): readonly Chunk[] {
  const chunks: Chunk[] = [];
  let start = 0;
  let line = 1;
  const cut = (end: number) => {
    const chunk = { text: text.slice(start, end), line };
    chunks.push(chunk);
    line += countLines(chunk.text, chunk.text.length);
  };
  for (const separator of text.matchAll(SEPARATOR)) {
    cut(separator.index);
    const rest = separator[1]?.trim() ?? "";
    if (rest !== "" && !rest.startsWith("#")) throw new YamlError(BAD_SEPARATOR, line, 1);
    start = separator.index + separator[0].length;
  }
  cut(text.length);
  return chunks;
}

const BAD_SEPARATOR =
  "A line that begins with `---` separates documents and holds nothing else; begin the document " +
  "on the next line, or indent the line if it belongs to a text";

/** Line ends before an offset. */
export function countLines(text: string, offset: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
