/**
 * The inside of the cage: the entry of a Worker without permissions. A request comes in, the core works on it, an answer goes out.
 *
 * Templates cannot reach JavaScript; should a defect let one, it finds no clock, no chance, no way out, and prototypes that take nothing new.
 */
import type { Bundle } from "../implementation/mod.ts";
import { stripGlobals } from "./cage_globals.ts";
import { type CageAnswer, type CageRequest, templateIndex } from "./cage_protocol.ts";
import { BundleCore } from "./core.ts";
import { languageNamed } from "./languages.ts";
import { withDigest } from "./outcome_digest.ts";
import type { TemplateLanguage } from "./language.ts";
import { RenderError } from "./render_error.ts";

/** Taken before the clock goes. */
const NOW = performance.now.bind(performance);

/** The global scope of a Worker, as far as it is used. */
interface WorkerScope {
  postMessage(message: CageAnswer): void;
  onmessage: ((event: MessageEvent<CageRequest>) => void) | null;
}

/** A cage starts with its language, then strips its globals: a language may need them to load, none needs them to render. */
class Cage {
  #language: TemplateLanguage | undefined;
  #core: BundleCore | undefined;
  #progress: Int32Array<SharedArrayBuffer> | undefined;

  async answer(request: CageRequest): Promise<CageAnswer> {
    try {
      return await this.#answer(request);
    } catch (error) {
      if (error instanceof RenderError) return { kind: "refused", problems: error.problems };
      return {
        kind: "defect",
        message: error instanceof Error ? error.stack ?? error.message : String(error),
      };
    }
  }

  async #answer(request: CageRequest): Promise<CageAnswer> {
    switch (request.kind) {
      case "start":
        this.#progress = request.progress;
        this.#language = await languageNamed(request.language);
        stripGlobals(globalThis);
        return { kind: "ready" };
      case "load":
        this.#load(request.bundle);
        return { kind: "loaded" };
      case "render":
        return { kind: "rendered", rendered: await withDigest(this.#loaded().render(request.request)) };
      case "status":
        return { kind: "status", status: this.#loaded().renderStatus(request.request) };
      case "documents": {
        const { template, values } = request;
        return { kind: "documents", documents: this.#loaded().renderDocuments(template, values) };
      }
    }
  }

  #load(bundle: Bundle): void {
    const indexes = new Map(templateIndex(bundle).map((name, index) => [name, index]));
    const onTemplate = (template: string) => {
      if (this.#progress !== undefined) Atomics.store(this.#progress, 0, indexes.get(template) ?? -1);
    };
    if (this.#language === undefined) throw new Error("The cage was not started");
    this.#core = new BundleCore(bundle, { language: this.#language, onTemplate, now: NOW });
  }

  #loaded(): BundleCore {
    if (this.#core === undefined) throw new Error("No bundle is loaded");
    return this.#core;
  }
}

function isWorkerScope(scope: object): scope is WorkerScope {
  return "postMessage" in scope && "onmessage" in scope;
}

function run(scope: object): void {
  if (!isWorkerScope(scope)) throw new Error("This file is the entry of a Worker and nothing else");
  const cage = new Cage();
  const post = scope.postMessage.bind(scope);
  scope.onmessage = (event) => void cage.answer(event.data).then(post);
}

run(globalThis);
