/**
 * What the person sees: steps, lines and a picture that changes. On a terminal the picture is drawn over itself and has colours; elsewhere (a file,
 * CI) every line is written once, and of a picture only its last state.
 */

/** How a piece of text is meant; the screen decides how that looks. */
export type Tone = "plain" | "strong" | "good" | "waiting" | "dim";

/** A piece of a line. */
export interface Span {
  readonly text: string;
  readonly tone?: Tone;
}

/** A line in pieces, without its line break. */
export type Line = readonly Span[];

/** Where the screen writes, and what it can do. */
export interface ScreenOptions {
  readonly write: (text: string) => void;
  /** Redraw pictures in place. */
  readonly isTerminal: boolean;
  readonly hasColours: boolean;
  /** Size of the terminal, in characters; asked for each picture. */
  readonly size: () => { readonly columns: number; readonly rows: number };
}

const CODES: Readonly<Record<Tone, string>> = { plain: "", strong: "1", good: "32", waiting: "33", dim: "2" };

/** See above. */
export class Screen {
  readonly #options: ScreenOptions;
  #steps = 0;
  #title = "";
  #drawnRows = 0;

  constructor(options: ScreenOptions) {
    this.#options = options;
  }

  /** Number and title of the step under way, for messages: `3 (Repair)`. */
  get currentStep(): string {
    return `${this.#steps} (${this.#title})`;
  }

  /** Begins a step. */
  step(title: string): void {
    this.#steps++;
    this.#title = title;
    this.#write([]);
    this.#write([{ text: `${this.#steps}. ${title}`, tone: "strong" }]);
  }

  /** One line of the story. */
  say(text: string): void {
    this.#write([{ text: text === "" ? "" : `   ${text}` }]);
  }

  /** A result: what was to be shown has been seen. */
  good(text: string): void {
    this.#write([{ text: "   ✔ ", tone: "good" }, { text }]);
  }

  /** The same as a command that the person could type. */
  command(text: string): void {
    this.#write([{ text: `   $ ${text}`, tone: "dim" }]);
  }

  /** The picture as it is now. One that the terminal has no room for is shown by its heads, the lines that are not indented. */
  picture(lines: readonly Line[]): void {
    const { isTerminal, size } = this.#options;
    if (!isTerminal) return;
    const { rows } = size();
    const heads = lines.length < rows ? lines : lines.filter(([first]) => !/^\s/.test(first?.text ?? " "));
    this.#redraw(heads.slice(0, Math.max(rows - 1, 1)));
  }

  /** The picture as it stays. */
  lastPicture(lines: readonly Line[]): void {
    this.#redraw([]);
    for (const line of lines) this.#write([{ text: "   " }, ...line]);
  }

  #redraw(lines: readonly Line[]): void {
    const { columns } = this.#options.size();
    const erase = this.#drawnRows === 0 ? "" : `\x1b[${this.#drawnRows}A\x1b[J`;
    const text = lines.map((line) => `${this.#paint(cut([{ text: "   " }, ...line], columns - 1))}\n`).join(
      "",
    );
    this.#drawnRows = lines.length;
    if (erase + text !== "") this.#options.write(erase + text);
  }

  #write(line: Line): void {
    this.#drawnRows = 0;
    this.#options.write(`${this.#paint(line)}\n`);
  }

  #paint(line: Line): string {
    const { hasColours } = this.#options;
    return line.map(({ text, tone = "plain" }) =>
      hasColours && CODES[tone] !== "" ? `\x1b[${CODES[tone]}m${text}\x1b[0m` : text
    ).join("");
  }
}

/** A line that is at most `columns` long: a longer one would take two rows, and the next picture would miss its place. */
function cut(line: Line, columns: number): Line {
  let left = columns;
  return line.flatMap((span) => {
    const text = span.text.length <= left ? span.text : `${span.text.slice(0, Math.max(left - 1, 0))}…`;
    const isShown = left > 0;
    left -= span.text.length;
    return isShown ? [{ ...span, text }] : [];
  });
}
