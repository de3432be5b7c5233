/**
 * The port behind which a template language stands: template texts go in and are compiled together, once; then each instance's values go in
 * as JSON text, and text with a map of its lines comes out.
 *
 * Values cross as JSON *text*, because a JavaScript object moves integer-like keys to the front and rounds large integers.
 */

/** How template texts are read, and what a render may print. */
export interface LanguageOptions {
  /** Use of an undefined name: empty text (`lenient`), or an error. */
  readonly undefined: "lenient" | "strict";
  readonly trimBlocks: boolean;
  readonly lstripBlocks: boolean;
  /** Bytes of UTF-8 that one template may print. */
  readonly outputBytes: number;
  /** Milliseconds that one render may take. For messages: the clock is behind `interrupted`. */
  readonly renderMs: number;
  /** Asked now and then during a render; true ends it with an error of kind `limit`, at the line where it is. */
  readonly interrupted: () => boolean;
}

/** A template language. */
export interface TemplateLanguage {
  /**
   * Compiles every template. Throws `RenderError` with all problems of those named in `required`; one that is not required and
   * does not compile is an error only for the render that includes it (a folder may hold files that are no templates).
   */
  compile(
    sources: ReadonlyMap<string, string>,
    required: readonly string[],
    options: LanguageOptions,
  ): CompiledTemplates;
}

/** The templates of one bundle. */
export interface CompiledTemplates {
  /** Begins the render of one instance. `values` are the names that templates see, each with the JSON text of its value. */
  open(values: ReadonlyMap<string, string>): TemplateSession;
}

/** The render of one instance: several templates, the same values. */
export interface TemplateSession {
  /** Sets further values, or other ones; templates rendered from now on see them. */
  set(values: ReadonlyMap<string, string>): void;
  /** Renders one template. Pure: nothing that it does to its values is seen by another. Throws `RenderError`. */
  render(template: string): Printed;
}

/** A line of a template; `line` is 1-based. */
export interface TemplatePosition {
  readonly template: string;
  readonly line: number;
}

/** What a template printed. */
export interface Printed {
  readonly text: string;
  /** Which template line began a line of `text` (1-based); undefined where it is not known. */
  positionOf(line: number): TemplatePosition | undefined;
}
