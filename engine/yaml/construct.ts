/**
 * Parser events become values: plain data for the engine, JSON text where key order has to survive, by the same walk.
 *
 * js-yaml's own constructor is not used: keys, tags, duplicates and merges of `kubectl apply -f` differ, and an error has to
 * name key and line. Aliases are counted, so that a few lines cannot unfold into a billion nodes.
 */
import {
  type Event,
  EVENT_ID,
  getScalarValue,
  type MappingEvent,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
} from "js-yaml";
import { keyText, resolvePlain, resolveTagged, type ScalarValue } from "./scalar.ts";

/** How a document is put together. */
export interface Builder<T> {
  scalar(value: ScalarValue): T;
  list(items: readonly T[]): T;
  /** Entries in the order of the text; merged ones come after own ones. */
  mapping(entries: ReadonlyMap<string, T>): T;
}

/** A rule broken at an offset of the document's text. */
export class OffsetError extends Error {
  constructor(message: string, readonly offset: number, options?: ErrorOptions) {
    super(message, options);
  }
}

/** Characters (and 1 a node) that the aliases of one document may add. */
const ALIAS_BUDGET = 4 * 1024 * 1024;

interface Node<T> {
  readonly value: T;
  /** Nodes and characters in it, aliases unfolded. */
  readonly weight: number;
  /** Present for a scalar, with its text as written: keys need both. */
  readonly scalar?: { readonly value: ScalarValue; readonly text: string };
  /** Present for a mapping: merges need it. */
  readonly entries?: ReadonlyMap<string, T>;
}

/** Builds the value of one document from its events, the first of which opens the document. Throws `OffsetError`. */
export function construct<T>(text: string, events: readonly Event[], builder: Builder<T>): T {
  return new Construction(text, events, builder).read().value;
}

class Construction<T> {
  readonly #text: string;
  readonly #events: readonly Event[];
  readonly #builder: Builder<T>;
  /** An anchor is open while its own value is being built. */
  readonly #anchors = new Map<string, Node<T> | "open">();
  #next = 1;
  #aliased = 0;
  /** Offset of the last token: where an error is. */
  #offset = 0;

  constructor(text: string, events: readonly Event[], builder: Builder<T>) {
    this.#text = text;
    this.#events = events;
    this.#builder = builder;
  }

  /** The node at which the walk stands, as a value: not as a key, which may be more. */
  read(): Node<T> {
    const node = this.#node();
    const { value, text } = node.scalar ?? {};
    if (typeof value === "number" && !Number.isFinite(value)) {
      throw this.#error(`JSON has no number \`${text}\`; put it in quotes if it is a text`);
    }
    return node;
  }

  #node(): Node<T> {
    const event = this.#take();
    if (event.type === EVENT_ID.ALIAS) {
      return this.#alias(this.#text.slice(event.anchorStart, event.anchorEnd));
    }
    if (event.type === EVENT_ID.POP || event.type === EVENT_ID.DOCUMENT) {
      throw this.#error("A value is missing");
    }
    if (event.anchorStart < 0) return this.#build(event);
    const anchor = this.#text.slice(event.anchorStart, event.anchorEnd);
    this.#anchors.set(anchor, "open");
    const node = this.#build(event);
    this.#anchors.set(anchor, node);
    return node;
  }

  #build(event: ScalarEvent | SequenceEvent | MappingEvent): Node<T> {
    if (event.type === EVENT_ID.SCALAR) return this.#scalar(event);
    return event.type === EVENT_ID.SEQUENCE ? this.#list() : this.#mapping();
  }

  #scalar(event: ScalarEvent): Node<T> {
    const text = getScalarValue(this.#text, event);
    const value = this.#resolve(event, text);
    const weight = typeof value === "string" ? 1 + value.length : 1;
    return { value: this.#builder.scalar(value), weight, scalar: { value, text } };
  }

  #resolve(event: ScalarEvent, text: string): ScalarValue {
    const tag = event.tagStart < 0 ? "" : this.#text.slice(event.tagStart, event.tagEnd);
    if (tag === "") return event.style === SCALAR_STYLE.PLAIN ? resolvePlain(text) : text;
    try {
      return resolveTagged(tag, text);
    } catch (cause) {
      throw this.#error(cause instanceof Error ? cause.message : String(cause), cause);
    }
  }

  #list(): Node<T> {
    const items: T[] = [];
    let weight = 1;
    while (!this.#closes()) {
      const item = this.read();
      items.push(item.value);
      weight += item.weight;
    }
    return { value: this.#builder.list(items), weight };
  }

  #mapping(): Node<T> {
    const entries = new Map<string, T>();
    const merged: Node<T>[] = [];
    let weight = 1;
    while (!this.#closes()) {
      if (this.#startsMerge()) {
        merged.push(...this.#mergeSources());
        continue;
      }
      const key = this.#key();
      if (entries.has(key)) {
        throw this.#error(`The key \`${key}\` is there twice in one mapping; take one away`);
      }
      const node = this.read();
      entries.set(key, node.value);
      weight += key.length + node.weight;
    }
    for (const source of merged) {
      this.#charge(source.weight);
      weight += source.weight;
      for (const [key, value] of source.entries ?? []) if (!entries.has(key)) entries.set(key, value);
    }
    return { value: this.#builder.mapping(entries), weight, entries };
  }

  #key(): string {
    const { scalar } = this.#node();
    if (scalar === undefined) throw this.#error("A key is a list or a mapping; a key has to be a text");
    const text = keyText(scalar.value, scalar.text);
    if (text === undefined) throw this.#error("A key is empty or null; put it in quotes if it is a text");
    return text;
  }

  /** A bare `<<` as a key; in quotes it is a key like any other. */
  #startsMerge(): boolean {
    const event = this.#events[this.#next];
    return event?.type === EVENT_ID.SCALAR && event.style === SCALAR_STYLE.PLAIN &&
      event.valueEnd - event.valueStart === 2 && this.#text.startsWith("<<", event.valueStart);
  }

  /** The mapping, or the list of mappings, that a `<<` stands for; earlier ones win. */
  #mergeSources(): readonly Node<T>[] {
    this.#take();
    if (this.#events[this.#next]?.type !== EVENT_ID.SEQUENCE) return [this.#mergeSource()];
    this.#take();
    const sources: Node<T>[] = [];
    while (!this.#closes()) sources.push(this.#mergeSource());
    return sources;
  }

  #mergeSource(): Node<T> {
    const node = this.read();
    if (node.entries === undefined) {
      throw this.#error("`<<` merges a mapping or a list of mappings, and nothing else");
    }
    return node;
  }

  #alias(name: string): Node<T> {
    const node = this.#anchors.get(name);
    if (node === undefined) {
      throw this.#error(
        `No anchor \`&${name}\` stands before \`*${name}\`; put a text that begins with \`*\` in quotes`,
      );
    }
    if (node === "open") throw this.#error(`The value of the anchor \`&${name}\` contains itself`);
    this.#charge(node.weight);
    return node;
  }

  #charge(weight: number): void {
    this.#aliased += weight;
    if (this.#aliased > ALIAS_BUDGET) {
      throw this.#error(`Aliases unfold to more than ${ALIAS_BUDGET} characters; write less of them`);
    }
  }

  #take(): Event {
    const event = this.#events[this.#next++];
    if (event === undefined) throw this.#error("The document ends too early");
    this.#offset = offsetOf(event) ?? this.#offset;
    return event;
  }

  /** Steps over the end of a collection, if it is here. */
  #closes(): boolean {
    if (this.#events[this.#next]?.type !== EVENT_ID.POP) return false;
    this.#next++;
    return true;
  }

  #error(message: string, cause?: unknown): OffsetError {
    return new OffsetError(message, this.#offset, { cause });
  }
}

/** Where an event's text begins; an empty scalar and the end of a collection have no place. */
export function offsetOf(event: Event): number | undefined {
  if (event.type === EVENT_ID.SCALAR) {
    const starts = [event.anchorStart, event.tagStart, event.valueStart].filter((start) => start >= 0);
    return starts.length === 0 ? undefined : Math.min(...starts);
  }
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  return "start" in event ? event.start : undefined;
}
