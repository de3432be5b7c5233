/**
 * A model of server, watch and writers, in random order, against the store: states of one key on a line, a watch that lags behind, lists that
 * break in, writes whose answers come late. What must hold:
 * 1. after the answer of a write of ours nobody reads a state older than that write;
 * 2. once everything is delivered, readers see the server's state, at once without lists, else after the short time that lists ask for.
 */
import assert from "node:assert/strict";
import { FakeClock } from "../queue/fake_clock.ts";
import { seededRandom } from "../queue/seeded_random.ts";
import { ASSUMED_AFTER_LIST_MS, AssumingStore, type CacheWrite } from "./assumed.ts";
import type { Entry } from "./store.ts";

const KEY = "ns/a";

/** A state of the key on the server; its place in the line is its resourceVersion. */
interface State {
  readonly place: number;
  readonly uid: string | undefined;
}

/** A write of ours: begun, and perhaps carried out; then it waits for `answer`. */
interface Write {
  readonly pending: CacheWrite;
  /** UID of the object that we saw when it began: a deletion is for that one only. */
  readonly uid: string | undefined;
  answer?: () => void;
}

class Model {
  readonly clock = new FakeClock();
  readonly store = new AssumingStore(this.clock);
  readonly #states: State[] = [{ place: 0, uid: undefined }];
  /** Place up to which the watch has delivered. */
  #delivered = 0;
  #write: Write | undefined;
  #list: { readonly began: number; snapshot?: State } | undefined;
  /** No reader may see anything older than this place. */
  #atLeast = 0;
  readonly log: string[] = [];

  constructor(readonly random: () => number, readonly withLists: boolean) {}

  step(): void {
    const choices = [
      () => this.#others(),
      () => this.#deliver(),
      () => this.#deliver(),
      () => this.#ours(),
      () => this.#ours(),
      () => this.withLists ? this.#listStep() : this.#ours(),
    ];
    choices[Math.floor(this.random() * choices.length)]?.();
    this.#check();
  }

  async finish(): Promise<void> {
    while (this.#list !== undefined) this.#listStep();
    while (this.#write !== undefined) this.#ours();
    while (this.#delivered < this.#now.place) this.#deliver();
    if (this.withLists) await this.clock.advance(ASSUMED_AFTER_LIST_MS);
    const read = this.store.get(KEY)?.object.metadata;
    const { place, uid } = this.#now;
    const expected = uid === undefined ? undefined : `${place}`;
    assert.equal(read?.resourceVersion, expected, `at the end; ${this.log.join(", ")}`);
    assert.equal([...this.store.all().entries()].length, uid === undefined ? 0 : 1);
  }

  get #now(): State {
    return this.#states.at(-1) ?? { place: 0, uid: undefined };
  }

  #others(): void {
    const isDeletion = this.#now.uid !== undefined && this.random() < 0.4;
    this.log.push(`others ${isDeletion ? "delete" : "write"} ${this.#change(isDeletion).place}`);
  }

  /** The next state on the server: changed (or created), or deleted. */
  #change(isDeletion: boolean): State {
    const { place, uid } = this.#now;
    const state = { place: place + 1, uid: isDeletion ? undefined : uid ?? `u${place + 1}` };
    this.#states.push(state);
    return state;
  }

  /** Our write goes on: it begins, is carried out, is answered. */
  #ours(): void {
    if (this.#write === undefined) {
      this.log.push("begin");
      const uid = this.store.get(KEY)?.object.metadata.uid;
      this.#write = { pending: this.store.beginWrite(KEY), uid };
    } else if (this.#write.answer === undefined) {
      this.#write.answer = this.#send(this.#write);
    } else {
      this.log.push("answer");
      const { answer } = this.#write;
      this.#write = undefined;
      answer();
    }
  }

  /** Carries our write out, on a random whim; the result is what its answer does. */
  #send({ pending, uid }: Write): () => void {
    if (uid !== undefined && this.random() < 0.4) {
      if (this.#now.uid === uid) {
        const { place } = this.#change(true);
        this.log.push(`we delete ${place}`);
        return () => this.#answered(() => pending.gone(), place);
      }
      this.log.push("we delete what is not there");
      return this.#now.uid === undefined ? () => pending.gone() : () => pending.failed();
    }
    const isNoChange = this.#now.uid !== undefined && this.random() < 0.3;
    const state = isNoChange ? this.#now : this.#change(false);
    this.log.push(`we write ${state.place}`);
    return () => this.#answered(() => pending.done(this.#entry(state).object), state.place);
  }

  #answered(tell: () => void, place: number): void {
    tell();
    this.#atLeast = Math.max(this.#atLeast, place);
  }

  #deliver(): void {
    if (this.#list !== undefined || this.#delivered >= this.#now.place) return;
    const before = this.#states[this.#delivered];
    const state = this.#states[++this.#delivered];
    if (before === undefined || state === undefined) return;
    this.log.push(`event ${state.place}`);
    if (state.uid !== undefined) this.store.observe(KEY, { deleted: false, entry: this.#entry(state) });
    else if (before.uid !== undefined) {
      this.store.observe(KEY, { deleted: true, entry: this.#entry({ place: state.place, uid: before.uid }) });
    }
  }

  /** A list begins, is answered, or is taken in; while it lasts no event is delivered, and then the watch goes on from it. */
  #listStep(): void {
    if (this.#list === undefined) {
      this.log.push("list begins");
      this.#list = { began: this.store.beginList() };
    } else if (this.#list.snapshot === undefined) {
      this.log.push(`list of ${this.#now.place}`);
      this.#list.snapshot = this.#now;
    } else {
      const { began, snapshot } = this.#list;
      this.#list = undefined;
      this.log.push("list taken in");
      this.#delivered = snapshot.place;
      this.store.replace(began, new Map(snapshot.uid === undefined ? [] : [[KEY, this.#entry(snapshot)]]));
    }
  }

  #entry({ place, uid }: State): Entry {
    const metadata = {
      namespace: "ns",
      name: "a",
      resourceVersion: `${place}`,
      ...(uid === undefined ? {} : { uid }),
    };
    return { object: { apiVersion: "v1", kind: "T", metadata } };
  }

  #check(): void {
    const read = this.store.get(KEY)?.object.metadata.resourceVersion;
    const isOld = read === undefined
      ? !this.#states.some(({ place, uid }) => uid === undefined && place >= this.#atLeast)
      : Number(read) < this.#atLeast;
    assert.ok(!isOld, `read ${read}, though ${this.#atLeast} was answered; ${this.log.join(", ")}`);
  }
}

for (const withLists of [false, true]) {
  Deno.test(`random order, ${withLists ? "with" : "without"} lists: no read is older than our own writes, none is stuck`, async () => {
    for (let seed = 1; seed <= 3000; seed++) {
      const model = new Model(seededRandom(seed), withLists);
      for (let i = 0; i < 25; i++) model.step();
      await model.finish();
    }
  });
}
