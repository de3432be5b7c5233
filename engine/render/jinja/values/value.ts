/**
 * Python's values as templates see them. None, bool, str and list are JavaScript's null, boolean, string and array; an
 * int is a number while it is a safe integer and a bigint beyond; everything else is one of the classes here. Each
 * class tells its Python name and how it is written. No function of JavaScript is ever a value: what can be called is
 * a `PyCallable` or a `PyObject` that says so.
 */
import type { PyDict } from "./dict.ts";
import type { DictView } from "./dict_view.ts";
import { floatRepr } from "./float_repr.ts";
import { stringRepr } from "./string_repr.ts";
import type { Undefined, UndefinedInfo } from "./undefined.ts";

/** Any value of a template. A `number` is always a safe integer, a `bigint` never is one. */
export type PyValue = null | boolean | string | number | bigint | PyValue[] | PyInstance;

/** A value that is an instance of one of our classes. */
export type PyInstance =
  | PyFloat
  | PyTuple
  | PyDict
  | DictView
  | Markup
  | Undefined
  | PyRange
  | PyIterator
  | PyCallable
  | PyObject;

/** Writes a value that is part of the one being written. */
export type WriteNested = (value: PyValue) => string;

/** Arguments by name. */
export type Kwargs = ReadonlyMap<string, PyValue>;

/** What a call runs. */
export type CallBody = (args: readonly PyValue[], kwargs: Kwargs, env: FilterEnv) => PyValue;

/** A filter; the first argument is its input. */
export interface Filter {
  readonly name: string;
  readonly call: CallBody;
}

/** A test of values; the first argument is its input, and it gives a boolean in almost all cases. */
export type Test = Filter;

/** What filters, tests and calls get to know of the render around them. */
export interface FilterEnv {
  /** Whether printed values are escaped now. */
  readonly autoescape: boolean;
  readonly filters: ReadonlyMap<string, Filter>;
  readonly tests: ReadonlyMap<string, Test>;
  /** An undefined value of the environment's kind. */
  undefined(info: UndefinedInfo): Undefined;
}

/** A float. */
export class PyFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }

  get typeName(): string {
    return "float";
  }

  toRepr(): string {
    return floatRepr(this.value);
  }
}

/** A tuple. */
export class PyTuple {
  readonly items: readonly PyValue[];

  constructor(items: readonly PyValue[]) {
    this.items = items;
  }

  get typeName(): string {
    return "tuple";
  }

  toRepr(nested: WriteNested): string {
    const items = this.items.map(nested);
    return items.length === 1 ? `(${items[0]},)` : `(${items.join(", ")})`;
  }
}

/** A tuple whose items have names, too. */
export class PyNamedTuple extends PyTuple {
  readonly #names: readonly string[];

  constructor(names: readonly string[], items: readonly PyValue[]) {
    super(items);
    this.#names = names;
  }

  /** The item of a name, or undefined. */
  attribute(name: string): PyValue | undefined {
    const index = this.#names.indexOf(name);
    return index < 0 ? undefined : this.items[index];
  }
}

/** Text that is safe as HTML; a kind of str. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get typeName(): string {
    return "Markup";
  }

  get module(): string {
    return "markupsafe";
  }

  toStr(): string {
    return this.text;
  }

  toRepr(): string {
    return `Markup(${stringRepr(this.text)})`;
  }
}

/** A `range`; its items are safe integers, `length` is how many there are. */
export class PyRange {
  readonly start: number;
  readonly stop: number;
  readonly step: number;
  readonly length: number;

  constructor(start: number, stop: number, step: number) {
    this.start = start;
    this.stop = stop;
    this.step = step;
    this.length = Math.max(0, Math.ceil((stop - start) / step));
  }

  get typeName(): string {
    return "range";
  }

  /** The item at an index from 0 to `length - 1`. */
  at(index: number): number {
    return this.start + index * this.step;
  }

  toRepr(): string {
    const { start, stop, step } = this;
    return step === 1 ? `range(${start}, ${stop})` : `range(${start}, ${stop}, ${step})`;
  }
}

/** An iterator or generator: can be gone over once. */
export class PyIterator implements Iterable<PyValue> {
  readonly typeName: string;
  readonly #iterator: Iterator<PyValue>;

  constructor(items: Iterable<PyValue>, typeName = "generator") {
    this.typeName = typeName;
    this.#iterator = items[Symbol.iterator]();
  }

  /** Goes on where it stopped; leaving a loop early does not end it. */
  [Symbol.iterator](): Iterator<PyValue> {
    return { next: () => this.#iterator.next() };
  }

  toRepr(): string {
    return `<${this.typeName} object>`;
  }
}

/** A function: a method bound to its object, or a global one. */
export class PyCallable {
  readonly name: string;
  readonly call: CallBody;

  constructor(name: string, call: CallBody) {
    this.name = name;
    this.call = call;
  }

  get typeName(): string {
    return "builtin_function_or_method";
  }

  toRepr(): string {
    return `<built-in function ${this.name}>`;
  }
}

/** Objects with attributes of their own: what is there, and only that, can be reached. */
export abstract class PyObject {
  /** Name of the class, as Python's messages say it. */
  abstract readonly typeName: string;

  /** Module of the class, for the message of an attribute that is not there; empty for what is built into Python. */
  get module(): string {
    return "jinja2.runtime";
  }

  /** The attribute of a name, or undefined when there is none. */
  attribute(_name: string): PyValue | undefined {
    return undefined;
  }

  /** The text that is printed. */
  toStr(nested: WriteNested): string {
    return this.toRepr(nested);
  }

  /** The text inside of a printed list. */
  toRepr(_nested: WriteNested): string {
    return `<${this.module}.${this.typeName} object>`;
  }

  /** `object[key]`; undefined when there is no such item. Absent where the object has no items. */
  item?(key: PyValue): PyValue | undefined;
  /** What a loop goes over. Absent where the object cannot be gone over. */
  iterate?(): Iterable<PyValue>;
  /** Absent where the object has no length. */
  length?(): number;
  /** Absent where the object cannot be called. */
  call?(args: readonly PyValue[], kwargs: Kwargs, env: FilterEnv): PyValue;
}
