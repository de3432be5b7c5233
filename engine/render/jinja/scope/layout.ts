/**
 * Where variables live while a template runs. Each function of a template (its root, a block, a macro, a recursive
 * loop, the condition of a loop) has a frame of numbered slots; a function inside another reaches the outer frame's
 * slots by hops. The compiler asks for a variable and gets slot and hops, so that nothing is looked up by name later.
 */
import type { PyValue } from "../values/mod.ts";
import type { Variable } from "./symbols.ts";

/** Place of a variable as seen from a function: `hops` frames outwards, then `slot`. */
export interface SlotRef {
  readonly hops: number;
  readonly slot: number;
}

/** A frame's slots; `undefined` in a slot says that the variable has no value. */
export interface SlotFrame {
  readonly slots: (PyValue | undefined)[];
  readonly outer: SlotFrame | undefined;
}

/** The slots of one function of a template. */
export class Layout {
  readonly #outer: Layout | undefined;
  readonly #slots = new Map<string, number>();

  constructor(outer?: Layout) {
    this.#outer = outer;
  }

  /** How many slots a frame needs; known when the function is compiled. */
  get size(): number {
    return this.#slots.size;
  }

  /** The slot of a variable in this function's own frame. */
  own(variable: Variable): number {
    const known = this.#slots.get(variable);
    if (known !== undefined) return known;
    const slot = this.#slots.size;
    this.#slots.set(variable, slot);
    return slot;
  }

  /** A slot of its own, for a value without a name. */
  temporary(): number {
    return this.own(`0: ${this.#slots.size}`);
  }

  /** The slot of a variable of this function or of one around it. */
  find(variable: Variable): SlotRef {
    return this.#reach(variable, 0) ?? { hops: 0, slot: this.own(variable) };
  }

  #reach(variable: Variable, hops: number): SlotRef | undefined {
    const slot = this.#slots.get(variable);
    if (slot !== undefined) return { hops, slot };
    return this.#outer === undefined ? undefined : this.#outer.#reach(variable, hops + 1);
  }
}

/** Reads a slot. */
export function slotReader(ref: SlotRef): (frame: SlotFrame) => PyValue | undefined {
  const { hops, slot } = ref;
  if (hops === 0) return (frame) => frame.slots[slot];
  if (hops === 1) return (frame) => frame.outer?.slots[slot];
  return (frame) => ancestor(frame, hops)?.slots[slot];
}

/** Writes a slot. */
export function slotWriter(ref: SlotRef): (frame: SlotFrame, value: PyValue | undefined) => void {
  const { hops, slot } = ref;
  if (hops === 0) {
    return (frame, value) => {
      frame.slots[slot] = value;
    };
  }
  return (frame, value) => {
    const owner = ancestor(frame, hops);
    if (owner !== undefined) owner.slots[slot] = value;
  };
}

function ancestor(frame: SlotFrame, hops: number): SlotFrame | undefined {
  let found: SlotFrame | undefined = frame;
  for (let i = 0; i < hops; i++) found = found?.outer;
  return found;
}
