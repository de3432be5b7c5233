/**
 * Keeps a target in step with one selection of one resource: lists and watch events of the API server in, the same on the target, for as long as it runs.
 *
 * A list comes as a stream (`sendInitialEvents`) where the server can, else in pages. Then a watch follows from its resourceVersion, which events
 * and bookmarks move on, so that a reconnect costs no list. The server ends each watch after some minutes; a watch that is silent for longer than
 * bookmarks allow is dead and is ended here. Whatever fails is tried again with growing, jittered pauses: there is no way to give up and none to spin.
 */
import type { KubeClient, ReadObject, Selection, WatchEvent } from "../kube/client.ts";
import type { Resource } from "../kube/discovery.ts";
import { ApiError, GoneError, InvalidError } from "../kube/errors.ts";
import { backoffMs, type Clock } from "../queue/mod.ts";
import { storeKey } from "./store.ts";
import { Watchdog } from "./watchdog.ts";

/** An event about an object. */
export type ObjectEvent = Exclude<WatchEvent, { readonly type: "BOOKMARK" }>;

/** What a reflector keeps in step. */
export interface ReflectorTarget {
  /** A list begins; the answer takes its whole result, by `storeKey`, unless it fails on the way. */
  beginList(): (items: ReadonlyMap<string, ReadObject>) => void;
  /** One object came, changed or went. */
  apply(event: ObjectEvent): void;
}

/** What a reflector works with. */
export interface ReflectorOptions {
  readonly client: Pick<KubeClient, "list" | "watch">;
  readonly resource: Resource;
  readonly selection: Selection;
  readonly target: ReflectorTarget;
  readonly clock: Clock;
  /** From 0 to below 1, for jitter. */
  readonly random: () => number;
  /**
   * Silence after which a connection counts as dead, in milliseconds. API servers send a bookmark every minute, the first of a watch after
   * two (measured on 1.36). Default 150 s.
   */
  readonly stallMs?: number;
  /** A connection failed; the next try comes after `retryInMs`. */
  readonly onFailure: (error: unknown, retryInMs: number) => void;
  /** The first connection that works after failures. */
  readonly onRecovery: () => void;
}

/** Objects of one page of a list. */
const PAGE_SIZE = 500;
const STALL_MS = 150_000;
/** The server ends a watch after one to two times this, in seconds. */
const WATCH_SECONDS = 300;
/** A watch that lived this long ends a row of failures, in milliseconds: even if each one ends so, that is no storm. */
const HEALTHY_MS = 2_000;
const BASE_PAUSE_MS = 200;
const MAX_PAUSE_MS = 30_000;
/** The longest pause while nobody answers, in milliseconds: such a try burdens no server, and one that is back is found soon. */
const MAX_PAUSE_UNREACHABLE_MS = 10_000;

/** See above. */
export class Reflector {
  readonly #options: ReflectorOptions;
  /** Where the next watch begins; undefined: with a list. */
  #position: string | undefined;
  #canStream = true;
  #failures = 0;
  #restarts = 0;
  #lastError: unknown;
  #watchingSince: number | undefined;

  constructor(options: ReflectorOptions) {
    this.#options = options;
  }

  /** Connections beyond the first. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Why the last connection failed; undefined again once a later one gave a sign of life, or lived for 2 s. */
  get lastError(): unknown {
    return this.#lastError;
  }

  /** Runs until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const error = await this.#connect(signal);
      if (signal.aborted) return;
      this.#restarts++;
      await pause(this.#options.clock, this.#pauseAfter(error), signal);
    }
  }

  /** One connection; the answer is why it failed, or undefined when the watch was ended in order, by the server or for its silence. */
  async #connect(outer: AbortSignal): Promise<unknown> {
    const { clock, stallMs = STALL_MS } = this.#options;
    const watchdog = new Watchdog(outer, { clock, limitMs: stallMs });
    this.#watchingSince = undefined;
    try {
      const isStreamed = this.#position === undefined && this.#canStream && await this.#stream(watchdog);
      if (!isStreamed) {
        this.#position ??= await this.#list(watchdog);
        await this.#watch(this.#position, watchdog);
      }
    } catch (error) {
      if (!watchdog.isStalled) {
        if (!keepsPosition(error)) this.#position = undefined;
        return error;
      }
    } finally {
      watchdog.close();
    }
    // A silent watch may have been alive: some servers have no bookmarks to send. To open it again costs little, and only that can fail.
    if (!watchdog.isStalled || this.#watchingSince !== undefined) return undefined;
    return new Error(`The list did not go on for ${Math.round(stallMs / 1000)} s`);
  }

  /** List and watch in one; the answer is false when this server cannot. */
  async #stream(watchdog: Watchdog): Promise<boolean> {
    const { resource, selection, target, client, clock } = this.#options;
    const commit = target.beginList();
    const initial = new Map<string, ReadObject>();
    let isComplete = false;
    try {
      const events = client.watch(resource, {
        ...selection,
        sendInitialEvents: true,
        timeoutSeconds: this.#timeoutSeconds(),
        signal: watchdog.signal,
      });
      for await (const event of events) {
        if (isComplete) {
          this.#take(event, watchdog);
        } else if (event.type !== "BOOKMARK") {
          watchdog.touch();
          collect(initial, event);
        } else if (event.initialEventsEnd) {
          isComplete = true;
          commit(initial);
          this.#watchingSince = clock.now();
          this.#take(event, watchdog);
        } else {
          // A server that knows no streamed lists passes over the option and sends plain bookmarks.
          this.#canStream = false;
          return false;
        }
      }
      return true;
    } catch (error) {
      if (isComplete || !(error instanceof InvalidError)) throw error;
      this.#canStream = false;
      return false;
    }
  }

  /** A list in pages; the answer is its resourceVersion. */
  async #list(watchdog: Watchdog): Promise<string> {
    const { resource, selection, target, client } = this.#options;
    const commit = target.beginList();
    const items = new Map<string, ReadObject>();
    let continueToken: string | undefined;
    let resourceVersion: string;
    do {
      const page = await watchdog.orAbort(client.list(resource, {
        ...selection,
        limit: PAGE_SIZE,
        ...(continueToken === undefined ? {} : { continueToken }),
      }));
      watchdog.touch();
      for (const item of page.items) items.set(keyOf(item), item);
      resourceVersion = page.resourceVersion;
      continueToken = page.continueToken === "" ? undefined : page.continueToken;
    } while (continueToken !== undefined);
    commit(items);
    this.#recover();
    return resourceVersion;
  }

  async #watch(resourceVersion: string, watchdog: Watchdog): Promise<void> {
    const { resource, selection, client, clock } = this.#options;
    this.#watchingSince = clock.now();
    const events = client.watch(resource, {
      ...selection,
      resourceVersion,
      timeoutSeconds: this.#timeoutSeconds(),
      signal: watchdog.signal,
    });
    const cancelRecovery = clock.after(HEALTHY_MS, () => this.#recover());
    try {
      for await (const event of events) this.#take(event, watchdog);
    } finally {
      cancelRecovery();
    }
  }

  #take(event: WatchEvent, watchdog: Watchdog): void {
    watchdog.touch();
    this.#recover();
    if (event.type === "BOOKMARK") {
      this.#position = event.resourceVersion;
      return;
    }
    this.#options.target.apply(event);
    this.#position = event.object.metadata.resourceVersion ?? this.#position;
  }

  #recover(): void {
    if (this.#lastError === undefined) return;
    this.#lastError = undefined;
    this.#options.onRecovery();
  }

  /** Milliseconds until the next connection; counts the failure. A watch that lived well and was ended in order is no failure. */
  #pauseAfter(error: unknown): number {
    const { clock, random, onFailure } = this.#options;
    const isHealthy = this.#watchingSince !== undefined && clock.now() - this.#watchingSince >= HEALTHY_MS;
    // Whoever answers again begins a new row: after a restart the first answer is often that our position is too old.
    const isBack = isNoAnswer(this.#lastError) && error !== undefined && !isNoAnswer(error);
    if (isHealthy || isBack) this.#failures = 0;
    if (isHealthy && (error === undefined || error instanceof GoneError)) return 0;
    const maxMs = isNoAnswer(error) ? MAX_PAUSE_UNREACHABLE_MS : MAX_PAUSE_MS;
    const fullMs = backoffMs(this.#failures++, { baseMs: BASE_PAUSE_MS, maxMs });
    const askedMs = error instanceof ApiError ? error.retryAfterMs ?? 0 : 0;
    const pauseMs = Math.max(askedMs, fullMs * (0.5 + random() / 2));
    if (error !== undefined) {
      this.#lastError = error;
      onFailure(error, pauseMs);
    }
    return pauseMs;
  }

  #timeoutSeconds(): number {
    return Math.floor(WATCH_SECONDS * (1 + this.#options.random()));
  }
}

/** Nobody answered: refused, reset, no way there. */
function isNoAnswer(error: unknown): boolean {
  return error instanceof ApiError && error.code === 0;
}

/** Errors after which a watch may go on where it was: nobody answered, not allowed (any more), or later. Else the safe way is a list. */
function keepsPosition(error: unknown): boolean {
  return error instanceof ApiError && [0, 401, 403, 429, 503].includes(error.code);
}

function collect(initial: Map<string, ReadObject>, { type, object, text }: ObjectEvent): void {
  if (type === "DELETED") initial.delete(keyOf({ object }));
  else initial.set(keyOf({ object }), { object, text });
}

function keyOf({ object: { metadata } }: Pick<ReadObject, "object">): string {
  return storeKey(metadata.namespace, metadata.name);
}

function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    signal.addEventListener("abort", end, { once: true });
  });
}
