/**
 * From a line of the output back to the template: the marks that compiled nunjucks code leaves, three values each, say which place printed
 * what follows. Only asked after an error, so everything is worked out then.
 */
import type { TemplatePosition } from "./language.ts";

/** What a finished template left. */
export interface PrintedWithMarks {
  readonly text: string;
  /** By three: offset in the text, `line:column:template` (1-based), whether text of the template is printed from there on. */
  readonly marks: readonly unknown[];
  readonly sources: ReadonlyMap<string, string>;
}

/** Which template line began this line of the output (1-based). What includes, blocks and macros print began where they were called. */
export function printedAt(
  line: number,
  { text, marks, sources }: PrintedWithMarks,
): TemplatePosition | undefined {
  const offset = startOfLine(text, line);
  let mark: { at: number; place: string; isText: boolean } | undefined;
  let end = text.length;
  for (let index = 0; index < marks.length; index += 3) {
    const [at, place, isText] = marks.slice(index, index + 3);
    if (typeof at !== "number" || typeof place !== "string") continue;
    if (at > offset) {
      end = at;
      break;
    }
    mark = { at, place, isText: isText === true };
  }
  if (mark === undefined) return undefined;
  const [row = "", column = "", ...names] = mark.place.split(":");
  const template = names.join(":");
  const first = Number(row);
  if (!mark.isText) return { template, line: first };
  const printed = text.slice(mark.at, end);
  const source = sources.get(template) ?? "";
  const dropped = droppedLines(source.slice(startOfLine(source, first) + Number(column) - 1), printed);
  return { template, line: first + dropped + newlines(text.slice(mark.at, offset)) };
}

/** How many line ends `-%]` took from the begin of a piece of text. */
function droppedLines(source: string, printed: string): number {
  const written = /^\s*/.exec(source)?.[0] ?? "";
  const kept = /^\s*/.exec(printed)?.[0] ?? "";
  return newlines(written.slice(0, Math.max(0, written.length - kept.length)));
}

function newlines(text: string): number {
  return text.split("\n").length - 1;
}

function startOfLine(text: string, line: number): number {
  let at = 0;
  for (let before = 1; before < line; before++) {
    const end = text.indexOf("\n", at);
    if (end < 0) break;
    at = end + 1;
  }
  return at;
}
