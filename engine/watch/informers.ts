/**
 * The informers of one owner: a resource and a selection in, the one informer for it out, started when it is first asked for.
 *
 * Shared, so that two who need the same objects cost one watch; dynamic, because the kinds that templates render are known only then.
 */
import type { KubeClient, Selection } from "../kube/client.ts";
import type { Resource } from "../kube/discovery.ts";
import { groupKindOf } from "../meta/mod.ts";
import { type Logger, type Metrics, withFields } from "../observe/mod.ts";
import type { Clock } from "../queue/mod.ts";
import { Informer } from "./informer.ts";
import type { Indexes } from "./store.ts";

/** What all informers of a set share. */
export interface InformerSetOptions {
  readonly client: Pick<KubeClient, "list" | "watch">;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Ends all informers, as `stop` does. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

/** What is one informer's own. */
export interface EnsureOptions {
  /** Added to those that the informer has already. */
  readonly indexes?: Indexes;
  /** Keep the JSON text of objects, for `read`; counts for the first who asks. Default: unless the selection is `metadataOnly`. */
  readonly keepText?: boolean;
}

interface Running {
  readonly informer: Informer;
  readonly ended: Promise<void>;
}

/** See above. */
export class InformerSet {
  readonly #options: InformerSetOptions;
  readonly #controller = new AbortController();
  readonly #running = new Map<string, Running>();

  constructor(options: InformerSetOptions) {
    this.#options = options;
  }

  /** The informer of a selection, started if it is the first time. Wait for `whenSynced` before reading it. */
  ensure(resource: Resource, selection: Selection, options: EnsureOptions = {}): Informer {
    const key = keyOf(resource, selection);
    const known = this.#running.get(key)?.informer;
    if (known !== undefined) {
      known.addIndexes(options.indexes ?? {});
      return known;
    }
    const informer = this.#informer(resource, selection, options);
    const { signal: outer } = this.#options;
    const { signal } = this.#controller;
    const ended = informer.run(outer === undefined ? signal : AbortSignal.any([outer, signal]));
    this.#running.set(key, { informer, ended });
    return informer;
  }

  /** All informers: `synced`, `restarts` and `lastError` of each tell their health. */
  all(): readonly Informer[] {
    return Array.from(this.#running.values(), ({ informer }) => informer);
  }

  /** Ends all informers; resolves when they have ended. What is asked for later ends at once. */
  async stop(): Promise<void> {
    this.#controller.abort();
    await Promise.all(Array.from(this.#running.values(), ({ ended }) => ended));
  }

  #informer(resource: Resource, selection: Selection, { indexes = {}, keepText }: EnsureOptions): Informer {
    const { client, clock, metrics } = this.#options;
    const kind = groupKindOf(resource);
    const log = withFields(this.#options.log, { kind });
    let lastMessage: string | undefined;
    return new Informer({
      client,
      resource,
      selection,
      indexes,
      ...(keepText === undefined ? {} : { keepText }),
      ...(clock === undefined ? {} : { clock }),
      onFailure: (error, retryInMs) => {
        const message = messageOf(error);
        // The same failure again and again is one outcome.
        const level = message === lastMessage ? "debug" : "warn";
        lastMessage = message;
        log[level](`Watch failed: ${message}`, { retryInMs: Math.round(retryInMs) });
        metrics.counter("generic_operator_watch_failures_total", { kind });
      },
      onRecovery: () => {
        lastMessage = undefined;
        log.info("Watch works again");
      },
      onListenerError: (error) => log.error(`Listener of a watch failed: ${messageOf(error)}`),
    });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function keyOf({ group, version, plural }: Resource, selection: Selection): string {
  const { namespace = "", labelSelector = "", fieldSelector = "", metadataOnly = false } = selection;
  return JSON.stringify([group, version, plural, namespace, labelSelector, fieldSelector, metadataOnly]);
}
