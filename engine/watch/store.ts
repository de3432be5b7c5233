/**
 * Objects of one resource in memory, by namespace and name, with indexes: entries in, objects by key or by index value out.
 *
 * It knows nothing of watches or writes. An index is kept up to date with each change, so that asking costs what the answer holds.
 */
import type { KubeObject } from "../meta/mod.ts";

/** An object as it is kept; its JSON text only where somebody reads it. */
export interface Entry {
  readonly object: KubeObject;
  readonly text?: string;
}

/** The values under which an object is found in an index. */
export type IndexFunction = (object: KubeObject) => readonly string[];

/** Index functions by the name of the index. */
export type Indexes = Readonly<Record<string, IndexFunction>>;

interface Index {
  readonly valuesOf: IndexFunction;
  readonly keys: Map<string, Set<string>>;
}

/** The key of an object within its resource. */
export function storeKey(namespace: string | undefined, name: string): string {
  return `${namespace ?? ""}/${name}`;
}

/** Objects by key, with indexes. */
export class Store {
  readonly #entries = new Map<string, Entry>();
  readonly #indexes = new Map<string, Index>();

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  /** In the order in which the keys first came. */
  entries(): IterableIterator<[string, Entry]> {
    return this.#entries.entries();
  }

  /** The objects that an index finds under a value. Throws when there is no such index: a bug. */
  byIndex(name: string, value: string): readonly KubeObject[] {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new Error(`There is no index ${name}`);
    const found: KubeObject[] = [];
    for (const key of index.keys.get(value) ?? []) {
      const entry = this.#entries.get(key);
      if (entry !== undefined) found.push(entry.object);
    }
    return found;
  }

  /** Adds an index over what is there and what comes. One of that name that is there already stays. */
  addIndex(name: string, valuesOf: IndexFunction): void {
    if (this.#indexes.has(name)) return;
    const index: Index = { valuesOf, keys: new Map() };
    this.#indexes.set(name, index);
    for (const [key, { object }] of this.#entries) enter(index, key, object);
  }

  /** Puts an entry in place of the one before, or takes it out. */
  set(key: string, entry: Entry | undefined): void {
    const before = this.#entries.get(key);
    for (const index of this.#indexes.values()) {
      if (before !== undefined) leave(index, key, before.object);
      if (entry !== undefined) enter(index, key, entry.object);
    }
    if (entry === undefined) this.#entries.delete(key);
    else this.#entries.set(key, entry);
  }
}

function enter({ valuesOf, keys }: Index, key: string, object: KubeObject): void {
  for (const value of valuesOf(object)) {
    const found = keys.get(value);
    if (found === undefined) keys.set(value, new Set([key]));
    else found.add(key);
  }
}

function leave({ valuesOf, keys }: Index, key: string, object: KubeObject): void {
  for (const value of valuesOf(object)) {
    const found = keys.get(value);
    found?.delete(key);
    if (found?.size === 0) keys.delete(value);
  }
}
