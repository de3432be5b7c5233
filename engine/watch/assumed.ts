/**
 * A store that never lags behind our own writes: what the watch delivers and what our writes were answered with go in, the newer of both comes out.
 *
 * A reconcile that wrote an object and reads the cache before the watch has caught up would decide on the state before its own write. So the answer of
 * a write is *assumed* until the watch has delivered that very resourceVersion. These are opaque, so nothing is compared but equality:
 * - an event with the awaited resourceVersion, or the deletion of that UID, ends the assumption (a deletion also when only the selection was left:
 *   taking a live object for gone costs a request that changes nothing, the other mistake leaves a hole);
 * - what the watch delivered between the begin of a write and its answer is remembered: then nothing is assumed;
 * - a list that began after the answer holds the write or something newer. One that began before it may be of either side: whatever the write's
 *   event has not confirmed shortly after such a list is given up;
 * - whatever never comes (say, the object left the selection) is given up after a while.
 */
import type { KubeObject } from "../meta/mod.ts";
import type { Clock } from "../queue/mod.ts";
import { type Entry, type IndexFunction, Store } from "./store.ts";

/** A write under way. Exactly one of the three is called, once, when its answer is there. */
export interface CacheWrite {
  /** Done: the stored object as the API server answered. Its text for caches of whole objects. */
  done(object: KubeObject, text?: string): void;
  /** A delete that was answered with "gone". */
  gone(): void;
  /** Refused, or nobody knows: nothing is assumed. */
  failed(): void;
}

/** What the watch says about one key. For a deletion, `entry` is the last state. */
export interface Observation {
  readonly deleted: boolean;
  readonly entry: Entry;
}

/** How a key changed as the watch tells it, whatever is assumed. */
export interface EntryChange {
  readonly old: Entry | undefined;
  readonly new: Entry | undefined;
}

/** A write is given up when the watch has not delivered it after this time, in milliseconds. */
export const ASSUMED_MS = 60_000;
/** The same after a list that may be older than the write, in milliseconds: what the list does not hold, the watch brings at once. */
export const ASSUMED_AFTER_LIST_MS = 5_000;

/** A write that was answered and not seen yet. No entry: the object is gone. */
interface Assumption {
  readonly entry: Entry | undefined;
  readonly uid: string | undefined;
  /** Place in the order of events. */
  readonly doneAt: number;
  deadline: number;
}

interface Pending {
  readonly beganAt: number;
  /** The object that a reader saw when the write began. */
  readonly uid: string | undefined;
  readonly seenVersions: Set<string>;
  readonly seenDeletions: Set<string>;
  sawList: boolean;
}

/** What is known of a key beyond the store, while a write is under way or assumed. */
interface Ledger {
  watched: Entry | undefined;
  assumptions: readonly Assumption[];
  readonly pending: Set<Pending>;
}

/** A Store with assumed writes above it. */
export class AssumingStore {
  readonly #clock: Clock;
  /** What readers see. */
  readonly #visible = new Store();
  readonly #ledgers = new Map<string, Ledger>();
  #order = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What a reader is to see under a key. */
  get(key: string): Entry | undefined {
    this.#expire(key);
    return this.#visible.get(key);
  }

  /** The store of all that a reader is to see; good until the next change. */
  all(): Store {
    for (const key of this.#ledgers.keys()) this.#expire(key);
    return this.#visible;
  }

  /** Announces a write, before its request is sent. */
  beginWrite(key: string): CacheWrite {
    this.#expire(key);
    const visible = this.#visible.get(key);
    const ledger = this.#ledgers.get(key) ?? { watched: visible, assumptions: [], pending: new Set() };
    this.#ledgers.set(key, ledger);
    const pending: Pending = {
      beganAt: ++this.#order,
      uid: uidOf(visible),
      seenVersions: new Set(),
      seenDeletions: new Set(),
      sawList: false,
    };
    remember(pending.seenVersions, versionOf(ledger.watched));
    ledger.pending.add(pending);
    const end = (decide: () => void): void => {
      if (!ledger.pending.delete(pending)) return;
      decide();
      this.#settle(key, ledger);
    };
    return {
      done: (object, text) =>
        end(() => this.#done(ledger, pending, text === undefined ? { object } : { object, text })),
      gone: () => end(() => this.#gone(ledger, pending)),
      failed: () => end(() => {}),
    };
  }

  /** Takes in an event of the watch; the answer is the change of what the watch knows. */
  observe(key: string, { deleted, entry }: Observation): EntryChange {
    const now = deleted ? undefined : entry;
    const ledger = this.#ledgers.get(key);
    if (ledger === undefined) {
      const old = this.#visible.get(key);
      this.#visible.set(key, now);
      return { old, new: now };
    }
    const old = ledger.watched;
    ledger.watched = now;
    const { uid } = entry.object.metadata;
    for (const pending of ledger.pending) {
      remember(pending.seenVersions, versionOf(entry));
      if (deleted) remember(pending.seenDeletions, uid);
    }
    ledger.assumptions = ledger.assumptions.filter((assumed) => !confirms({ deleted, entry }, assumed));
    this.#settle(key, ledger);
    return { old, new: now };
  }

  /** A list begins now; the answer is what `replace` wants to know of it. */
  beginList(): number {
    return ++this.#order;
  }

  /** Takes in a whole list: what is not in it is gone. The answer is what changed for the watch; equal versions are no change. */
  replace(beganAt: number, items: ReadonlyMap<string, Entry>): readonly EntryChange[] {
    const changes: EntryChange[] = [];
    const keys = new Set([...this.#ledgers.keys(), ...items.keys()]);
    for (const [key] of this.#visible.entries()) keys.add(key);
    for (const key of keys) {
      const change = this.#list(beganAt, key, items.get(key));
      if (versionOf(change.old) !== versionOf(change.new) || uidOf(change.old) !== uidOf(change.new)) {
        changes.push(change);
      }
    }
    return changes;
  }

  addIndex(name: string, valuesOf: IndexFunction): void {
    this.#visible.addIndex(name, valuesOf);
  }

  #list(beganAt: number, key: string, listed: Entry | undefined): EntryChange {
    const ledger = this.#ledgers.get(key);
    const old = ledger === undefined ? this.#visible.get(key) : ledger.watched;
    // The object that is there already stays, so that a list of what did not change costs no memory.
    const now = old !== undefined && isSameState(old, listed) ? old : listed;
    if (ledger === undefined) {
      if (now !== old) this.#visible.set(key, now);
      return { old, new: now };
    }
    ledger.watched = now;
    for (const pending of ledger.pending) {
      remember(pending.seenVersions, versionOf(now));
      if (pending.beganAt < beganAt && pending.uid !== uidOf(now)) {
        remember(pending.seenDeletions, pending.uid);
      }
      pending.sawList = true;
    }
    ledger.assumptions = ledger.assumptions.filter((assumed) => !isListed(assumed, beganAt, now));
    const deadline = this.#clock.now() + ASSUMED_AFTER_LIST_MS;
    for (const assumed of ledger.assumptions) assumed.deadline = Math.min(assumed.deadline, deadline);
    this.#settle(key, ledger);
    return { old, new: now };
  }

  #done(ledger: Ledger, pending: Pending, entry: Entry): void {
    const [version, uid] = [versionOf(entry), uidOf(entry)];
    const isSeen = version === undefined || pending.seenVersions.has(version) ||
      (uid !== undefined && pending.seenDeletions.has(uid));
    this.#assume(ledger, pending, { entry, uid, isSeen });
  }

  #gone(ledger: Ledger, pending: Pending): void {
    const { uid } = pending;
    // Nobody saw an object: nothing to hide, and what is assumed already still counts.
    if (uid === undefined) return;
    this.#assume(ledger, pending, { entry: undefined, uid, isSeen: pending.seenDeletions.has(uid) });
  }

  /**
   * A write that began after the answer to another one is newer, seen or not: the other is forgotten. A deletion of what was only assumed
   * is no surer than that was.
   */
  #assume(
    ledger: Ledger,
    { beganAt, sawList }: Pending,
    { entry, uid, isSeen }: Pick<Assumption, "entry" | "uid"> & { readonly isSeen: boolean },
  ): void {
    const concurrent = ledger.assumptions.filter(({ doneAt }) => doneAt > beganAt);
    const older = ledger.assumptions.filter(({ doneAt }) => doneAt < beganAt);
    const ownDeadline = this.#clock.now() + (sawList ? ASSUMED_AFTER_LIST_MS : ASSUMED_MS);
    const deadline = entry === undefined
      ? Math.min(ownDeadline, ...older.map((assumed) => assumed.deadline))
      : ownDeadline;
    const doneAt = ++this.#order;
    ledger.assumptions = isSeen ? concurrent : [...concurrent, { entry, uid, doneAt, deadline }];
  }

  #expire(key: string): void {
    const ledger = this.#ledgers.get(key);
    if (ledger === undefined || ledger.assumptions.length === 0) return;
    const now = this.#clock.now();
    ledger.assumptions = ledger.assumptions.filter(({ deadline }) => deadline > now);
    this.#settle(key, ledger);
  }

  /** Shows readers the last assumption, or else what the watch knows; drops a ledger that says nothing more. */
  #settle(key: string, ledger: Ledger): void {
    const assumed = ledger.assumptions.at(-1);
    const shown = assumed === undefined ? ledger.watched : assumed.entry;
    if (shown !== this.#visible.get(key)) this.#visible.set(key, shown);
    if (ledger.assumptions.length === 0 && ledger.pending.size === 0) this.#ledgers.delete(key);
  }
}

/** Does the event say that the watch has reached the write, or gone beyond it? */
function confirms({ deleted, entry }: Observation, assumed: Assumption): boolean {
  if (deleted && uidOf(entry) === assumed.uid) return true;
  return assumed.entry !== undefined && versionOf(entry) === versionOf(assumed.entry);
}

/** The same for a list. */
function isListed({ doneAt, entry }: Assumption, listBeganAt: number, listed: Entry | undefined): boolean {
  return listBeganAt > doneAt || (entry !== undefined && isSameState(entry, listed));
}

function isSameState(a: Entry, b: Entry | undefined): boolean {
  return versionOf(a) !== undefined && versionOf(a) === versionOf(b) && uidOf(a) === uidOf(b);
}

function versionOf(entry: Entry | undefined): string | undefined {
  return entry?.object.metadata.resourceVersion;
}

function uidOf(entry: Entry | undefined): string | undefined {
  return entry?.object.metadata.uid;
}

function remember(seen: Set<string>, value: string | undefined): void {
  if (value !== undefined) seen.add(value);
}
