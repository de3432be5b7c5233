/**
 * Bounds of one render and the error of a template that runs into one. Output and depth are counted where they grow;
 * memory is counted by what expressions make: each text, list and mapping that an operator, filter or call gives adds
 * its size, whether it is kept or not, since no part of JavaScript tells what is still held and a thread that runs out
 * of memory takes the whole process along. Time is kept by whoever asks for the render, who is asked in turn.
 */
import { PyDict, PyError, PyTuple, type PyValue } from "./values/mod.ts";

/** Bounds of one render. */
export interface RenderLimits {
  /** Bytes of UTF-8 in the output, and characters in anything that is printed into a variable. */
  readonly maxOutputBytes: number;
  /** Levels of macros, includes, blocks and recursive loops. */
  readonly maxDepth: number;
  /** Characters and items in all that a render makes. */
  readonly maxMade: number;
  /**
   * Asked now and then while a template runs; true ends the render. A thread that spins cannot be ended from outside,
   * so this is how a time limit is kept.
   */
  readonly interrupted?: (() => boolean) | undefined;
}

/** The bounds where nothing else is asked for. */
export const DEFAULT_LIMITS: RenderLimits = {
  maxOutputBytes: 4 * 1024 * 1024,
  maxDepth: 200,
  maxMade: 64 * 1024 * 1024,
};

/** A template goes past a bound of its render. */
export class LimitError extends PyError {
  /** The bound. */
  readonly limit: keyof RenderLimits;

  constructor(limit: keyof RenderLimits, message: string) {
    super("runtime", message);
    this.limit = limit;
  }
}

/** The error of an output that is too large. */
export function outputLimit(bytes: number): LimitError {
  return new LimitError("maxOutputBytes", `The output is larger than the limit of ${bytes} bytes`);
}

/** The error of a template that is nested too deep in itself. */
export function depthLimit(levels: number): LimitError {
  return new LimitError("maxDepth", `Recursion is deeper than the limit of ${levels} levels`);
}

/** The error of a template that makes too many values. */
export function memoryLimit(units: number): LimitError {
  return new LimitError("maxMade", `The template makes more than the limit of ${units} characters and items`);
}

/** The error of a template that was told to stop. */
export function interruption(): LimitError {
  return new LimitError("interrupted", "The render took longer than its time limit");
}

/** What a value counts for: about eight bytes each. */
export function sizeOf(value: PyValue): number {
  switch (typeof value) {
    case "string":
      return value.length;
    case "number":
    case "boolean":
      return 0;
    case "bigint":
      return 1024;
  }
  if (value === null) return 0;
  if (Array.isArray(value)) return 2 + value.length;
  if (value instanceof PyTuple) return 4 + value.items.length;
  if (value instanceof PyDict) return 32 + 4 * value.size;
  return 16;
}
