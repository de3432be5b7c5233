/**
 * The `loop` variable. It wraps what a `for` goes over and looks one item ahead only when asked (`loop.last`,
 * `loop.nextitem`), or takes all items when their number is asked for and not known: a lazy sequence stays lazy else.
 */
import {
  eq,
  type FilterEnv,
  iterate,
  knownLength,
  PyCallable,
  PyError,
  PyObject,
  PyTuple,
  type PyValue,
} from "./values/mod.ts";

/** How a loop is set up. */
export interface LoopOptions {
  readonly env: FilterEnv;
  /** Renders the body over other items; present where the loop is marked `recursive`. */
  readonly recurse: ((items: PyValue, depth0: number) => PyValue) | undefined;
  /** How many loops of the same kind this one is inside of. */
  readonly depth0: number;
}

/** State of one running loop. */
export class LoopContext extends PyObject {
  override readonly typeName = "LoopContext";
  readonly #options: LoopOptions;
  #iterator: Iterator<PyValue>;
  #length: number | undefined;
  #index0 = -1;
  #ahead: IteratorResult<PyValue> | undefined;
  #current: PyValue = null;
  #previous: PyValue = null;
  #lastChanged: PyTuple | undefined;

  /** @param items a value to go over, or items whose number is not known */
  constructor(
    items: { readonly value: PyValue } | { readonly lazy: Iterator<PyValue> },
    options: LoopOptions,
  ) {
    super();
    this.#options = options;
    if ("lazy" in items) {
      this.#iterator = items.lazy;
    } else {
      this.#iterator = iterate(items.value)[Symbol.iterator]();
      this.#length = knownLength(items.value);
    }
  }

  /** Goes to the next item; `done` at the end. */
  next(): IteratorResult<PyValue> {
    const result = this.#peek();
    this.#ahead = undefined;
    if (result.done === true) return result;
    this.#index0++;
    this.#previous = this.#current;
    this.#current = result.value;
    return result;
  }

  override attribute(name: string): PyValue | undefined {
    switch (name) {
      case "index":
        return this.#index0 + 1;
      case "index0":
        return this.#index0;
      case "length":
        return this.length();
      case "revindex":
        return this.length() - this.#index0;
      case "revindex0":
        return this.length() - this.#index0 - 1;
      case "first":
        return this.#index0 === 0;
      case "last":
        return this.#peek().done === true;
      case "depth":
        return this.#options.depth0 + 1;
      case "depth0":
        return this.#options.depth0;
      case "previtem":
        return this.#index0 === 0 ? this.#undefined("there is no previous item") : this.#previous;
      case "nextitem": {
        const result = this.#peek();
        return result.done === true ? this.#undefined("there is no next item") : result.value;
      }
      case "cycle":
        return new PyCallable("cycle", (args) => this.#cycle(args));
      case "changed":
        return new PyCallable("changed", (args) => this.#changed(args));
      default:
        return undefined;
    }
  }

  override length(): number {
    if (this.#length === undefined) {
      const rest: PyValue[] = [];
      const peeked = this.#ahead === undefined || this.#ahead.done === true ? 0 : 1;
      for (let item = this.#iterator.next(); item.done !== true; item = this.#iterator.next()) {
        rest.push(item.value);
      }
      this.#iterator = rest.values();
      this.#length = rest.length + this.#index0 + 1 + peeked;
    }
    return this.#length;
  }

  override call(args: readonly PyValue[]): PyValue {
    const [items] = args;
    if (this.#options.recurse === undefined) {
      throw new PyError("type", "The loop must have the 'recursive' marker to be called recursively.");
    }
    if (items === undefined) throw new PyError("type", "missing 1 required positional argument: 'iterable'");
    return this.#options.recurse(items, this.#options.depth0 + 1);
  }

  override toRepr(): string {
    return `<LoopContext ${this.#index0 + 1}/${this.length()}>`;
  }

  #peek(): IteratorResult<PyValue> {
    this.#ahead ??= this.#iterator.next();
    return this.#ahead;
  }

  #undefined(hint: string): PyValue {
    return this.#options.env.undefined({ hint });
  }

  #cycle(args: readonly PyValue[]): PyValue {
    if (args.length === 0) throw new PyError("type", "no items for cycling given");
    return args[this.#index0 % args.length] ?? null;
  }

  #changed(args: readonly PyValue[]): boolean {
    const now = new PyTuple([...args]);
    if (this.#lastChanged !== undefined && eq(this.#lastChanged, now)) return false;
    this.#lastChanged = now;
    return true;
  }
}
