/**
 * The value of what is not there. It remembers what was looked for, so that its use where that is not allowed tells
 * what is missing. The kinds are Jinja2's Undefined, StrictUndefined and ChainableUndefined.
 */
import { PyError } from "./error.ts";
import { repr } from "./repr.ts";
import { objectTypeRepr } from "./type_name.ts";
import type { PyValue } from "./value.ts";

/** How undefined values behave. */
export type UndefinedKind = "lenient" | "strict" | "chainable";

/** What was looked for, and where. */
export interface UndefinedInfo {
  /** The whole message; the other parts then do not count for it. */
  readonly hint?: string;
  /** Where it was looked for; absent for a variable. */
  readonly object?: PyValue;
  /** The name of a variable or attribute, or the key of an item. */
  readonly name?: PyValue;
}

const TYPE_NAMES = {
  lenient: "Undefined",
  strict: "StrictUndefined",
  chainable: "ChainableUndefined",
} as const;

/** An undefined value. */
export class Undefined {
  readonly kind: UndefinedKind;
  readonly info: UndefinedInfo;

  constructor(kind: UndefinedKind, info: UndefinedInfo) {
    this.kind = kind;
    this.info = info;
  }

  get typeName(): string {
    return TYPE_NAMES[this.kind];
  }

  get module(): string {
    return "jinja2.runtime";
  }

  /** Throws `PyError` where the kind is strict. */
  toStr(): string {
    if (this.kind === "strict") throw this.error();
    return "";
  }

  toRepr(): string {
    return "Undefined";
  }

  /** The error that its use raises. */
  error(): PyError {
    return new PyError("undefined", this.#message());
  }

  #message(): string {
    const { hint, object, name = null } = this.info;
    if (hint !== undefined && hint !== "") return hint;
    if (object === undefined) return `${repr(name)} is undefined`;
    if (typeof name !== "string") return `${objectTypeRepr(object)} has no element ${repr(name)}`;
    return `${repr(objectTypeRepr(object))} has no attribute ${repr(name)}`;
  }
}
