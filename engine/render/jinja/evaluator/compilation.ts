/**
 * What the parts of the compiler share while one template is compiled: its source, the filters and tests there are, and
 * how many `extends` were passed so far, which decides whether text is still printed.
 */
import type { Source } from "../errors.ts";
import type { FilterEnv, UndefinedKind } from "../values/mod.ts";

/** What all templates of a bundle are compiled with. */
export interface CompileOptions extends Pick<FilterEnv, "filters" | "tests"> {
  readonly undefinedKind: UndefinedKind;
}

/** State of the compilation of one template. */
export interface Compilation {
  readonly source: Source;
  readonly options: CompileOptions;
  /** An `extends` at the root was passed: no text from here on is printed. */
  knownExtends: boolean;
  /** How many `extends` were passed. */
  extendsCount: number;
  /** Characters and items in all constants that were made so far. */
  folded: number;
}
