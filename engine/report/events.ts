/**
 * Events on instances: for what changed, not for what did not.
 *
 * Best effort by design: an Event that cannot be written is logged by the caller and forgotten; it never fails a round. The same Event (object,
 * reason, note) is written once an hour at most, so that a failing round that is tried again does not fill the cluster.
 */
import { EVENTS, type KubeClient } from "../kube/mod.ts";
import { digestOf, type KubeObject, refOf, shorten, typeMetaOf } from "../meta/mod.ts";

/** An Event to be. `reason` is a CamelCase word, `note` a sentence of at most 1,024 bytes (cut). */
export interface EventNote {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly note: string;
}

/** What recording needs. */
export interface EventRecorderOptions {
  readonly client: KubeClient;
  /** Name of this controller, as `reportingController`. */
  readonly controller: string;
  /** Name of this process, as `reportingInstance`. */
  readonly process: string;
  readonly now: () => Date;
  readonly onError: (error: unknown) => void;
}

const REPEAT_MS = 60 * 60 * 1000;
const MAX_REMEMBERED = 10_000;
/** The API server counts bytes of UTF-8. */
const MAX_NOTE_BYTES = 1024;
const ELLIPSIS = "...";
const ENCODER = new TextEncoder();

/** Writes Events, in the background. */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #written = new Map<string, number>();
  readonly #pending = new Set<Promise<void>>();

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  /** Records an Event about an object. Returns at once. */
  record(regarding: KubeObject, event: EventNote): void {
    const now = this.#options.now();
    const key = digestOf([regarding.metadata.uid, event]);
    const before = this.#written.get(key);
    if (before !== undefined && now.getTime() - before < REPEAT_MS) return;
    this.#remember(key, now.getTime());
    const writing = this.#write(regarding, event, now, key)
      .catch((error: unknown) => {
        this.#written.delete(key);
        this.#options.onError(error);
      })
      .finally(() => this.#pending.delete(writing));
    this.#pending.add(writing);
  }

  /** Waits for what is under way: for the end of the process, and for tests. */
  async flush(): Promise<void> {
    await Promise.all(this.#pending);
  }

  #remember(key: string, time: number): void {
    this.#written.delete(key);
    this.#written.set(key, time);
    if (this.#written.size <= MAX_REMEMBERED) return;
    const oldest = this.#written.keys().next();
    if (oldest.done !== true) this.#written.delete(oldest.value);
  }

  async #write(regarding: KubeObject, event: EventNote, now: Date, key: string): Promise<void> {
    const { client, controller, process } = this.#options;
    const ref = refOf(regarding);
    const namespace = ref.namespace ?? "default";
    const object: KubeObject = {
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata: {
        name: `${shorten(ref.name, 220)}.${key.slice(0, 10)}${now.getTime().toString(16)}`,
        namespace,
      },
      eventTime: now.toISOString().replace("Z", "000Z"),
      type: event.type,
      reason: event.reason,
      action: "Reconcile",
      note: cut(event.note),
      regarding: {
        ...typeMetaOf(ref),
        name: ref.name,
        ...(ref.namespace === undefined ? {} : { namespace: ref.namespace }),
        uid: regarding.metadata.uid,
        resourceVersion: regarding.metadata.resourceVersion,
      },
      reportingController: controller,
      reportingInstance: process,
    };
    await client.create(EVENTS, object, { fieldManager: controller });
  }
}

/** What fits, whole characters only. */
function cut(note: string): string {
  const room = new Uint8Array(MAX_NOTE_BYTES);
  if (ENCODER.encodeInto(note, room).read === note.length) return note;
  const { read } = ENCODER.encodeInto(note, room.subarray(ELLIPSIS.length));
  return note.slice(0, read) + ELLIPSIS;
}
