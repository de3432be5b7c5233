/**
 * An API server that does what a test tells it, list by list and watch by watch. Tests only: no door exports it.
 */
import type {
  KubeClient,
  ListOptions,
  ListPage,
  ReadObject,
  WatchEvent,
  WatchOptions,
} from "../kube/client.ts";
import type { Resource } from "../kube/discovery.ts";
import type { KubeObject } from "../meta/mod.ts";

/** The resource that the tests speak of. */
export const WIDGETS: Resource = {
  group: "test.example.com",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  namespaced: true,
  subresources: [],
  verbs: ["list", "watch"],
};

/** An object `ns/name`. */
export function widget(name: string, resourceVersion: string, uid = `uid-${name}`): KubeObject {
  return {
    apiVersion: "test.example.com/v1",
    kind: "Widget",
    metadata: { namespace: "ns", name, uid, resourceVersion },
  };
}

/** The object with its text. */
export function asRead(object: KubeObject): ReadObject {
  return { object, text: JSON.stringify(object) };
}

/** The end of a streamed list, or a plain bookmark. */
export function bookmark(resourceVersion: string, initialEventsEnd = false): WatchEvent {
  return { type: "BOOKMARK", resourceVersion, initialEventsEnd };
}

/** One open watch. */
export class ScriptedWatch {
  readonly options: WatchOptions;
  readonly #steps: (WatchEvent | { readonly error: unknown } | "end")[] = [];
  #wake = () => {};

  constructor(options: WatchOptions) {
    this.options = options;
    options.signal.addEventListener("abort", () => this.end());
  }

  /** Sends ADDED, MODIFIED or DELETED. */
  send(type: "ADDED" | "MODIFIED" | "DELETED", object: KubeObject): void {
    this.#do({ type, ...asRead(object) });
  }

  bookmark(resourceVersion: string, initialEventsEnd = false): void {
    this.#do(bookmark(resourceVersion, initialEventsEnd));
  }

  fail(error: unknown): void {
    this.#do({ error });
  }

  /** As a server does when the time of a watch is over. */
  end(): void {
    this.#do("end");
  }

  async *events(): AsyncGenerator<WatchEvent, void> {
    while (true) {
      const step = this.#steps.shift();
      if (step === "end") return;
      if (step === undefined) await new Promise<void>((resolve) => this.#wake = resolve);
      else if ("error" in step) throw step.error;
      else yield step;
    }
  }

  #do(step: WatchEvent | { readonly error: unknown } | "end"): void {
    this.#steps.push(step);
    this.#wake();
  }
}

/** Answers lists from a script, and holds the watches that were opened. */
export class ScriptedClient implements Pick<KubeClient, "list" | "watch"> {
  /** Answers of lists to come, in order; an error is thrown. When there is none, the list hangs. */
  readonly pages: (ListPage | Error)[] = [];
  readonly lists: ListOptions[] = [];
  readonly watches: ScriptedWatch[] = [];
  /** Errors that the next watches are refused with. */
  readonly refusals: Error[] = [];

  /** The watch that was opened last. */
  get open(): ScriptedWatch {
    const last = this.watches.at(-1);
    if (last === undefined) throw new Error("No watch was opened");
    return last;
  }

  list(_resource: Resource, options: ListOptions = {}): Promise<ListPage> {
    this.lists.push(options);
    const page = this.pages.shift();
    if (page === undefined) return new Promise(() => {});
    return page instanceof Error ? Promise.reject(page) : Promise.resolve(page);
  }

  watch(_resource: Resource, options: WatchOptions): AsyncIterable<WatchEvent> {
    const watch = new ScriptedWatch(options);
    this.watches.push(watch);
    const refusal = this.refusals.shift();
    if (refusal !== undefined) watch.fail(refusal);
    return watch.events();
  }
}
