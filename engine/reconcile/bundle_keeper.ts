/**
 * Keeps the templates that serve: reads a bundle from its source, has the renderer compile it, and swaps it in as a whole.
 *
 * A bundle that cannot be read or does not compile is refused, with the reason, and the one before goes on serving. Whoever asks gets the
 * state of now; listeners hear of every change of it.
 */
import { ConfigError, type CrdName, type TemplateSource } from "../implementation/mod.ts";
import type { Logger } from "../observe/mod.ts";
import { type Clock, systemClock } from "../queue/mod.ts";
import { type Renderer, RenderError } from "../render/mod.ts";
import type { BundleState } from "./world.ts";

/** What keeping needs. */
export interface BundleKeeperOptions {
  readonly source: TemplateSource;
  readonly renderer: Renderer;
  readonly log: Logger;
  /** Called after every load that changed the state. */
  readonly onChange: () => void;
  readonly clock?: Clock;
}

/** A pause before a source that could not be read for another reason than its content is read again, in milliseconds. */
const RETRY_MS = 2_000;

/** The templates of one implementation. */
export class BundleKeeper {
  readonly #options: BundleKeeperOptions;
  #state: BundleState = { bundle: undefined, refusal: undefined };
  #crd: CrdName | undefined;
  #loading: Promise<void> = Promise.resolve();
  #cancelRetry: () => void = () => {};

  constructor(options: BundleKeeperOptions) {
    this.#options = options;
  }

  /** What serves now. */
  get state(): BundleState {
    return this.#state;
  }

  /** The CRD that the source named first. Known also while its templates do not compile: instances can then say so. */
  get crd(): CrdName | undefined {
    return this.#crd;
  }

  /** Reads and swaps, one load at a time. Never throws for a bad bundle: that is a state. */
  load(): Promise<void> {
    this.#loading = this.#loading.then(() => this.#load());
    return this.#loading;
  }

  /** Follows the source until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    await this.#options.source.run(signal, () => void this.load());
    await this.#loading;
    this.#cancelRetry();
  }

  async #load(): Promise<void> {
    this.#cancelRetry();
    const { source, renderer, log, onChange } = this.#options;
    const before = this.#state;
    try {
      const bundle = await source.read();
      if (bundle.digest === before.bundle?.digest && before.refusal === undefined) return;
      this.#crd ??= bundle.implementation.crd;
      refuseOtherCrd(this.#crd, bundle.implementation.crd);
      if (bundle.digest !== before.bundle?.digest) await renderer.load(bundle);
      this.#state = { bundle, refusal: undefined };
      log.info("Bundle loaded", {
        source: source.name,
        digest: bundle.digest,
        templates: bundle.sources.size,
      });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (!(error instanceof ConfigError || error instanceof RenderError)) this.#retryLater();
      const refusal = error.message;
      if (refusal === before.refusal) return;
      this.#state = { bundle: before.bundle, refusal };
      const serving = before.bundle === undefined ? "nothing is served" : "the last good one goes on serving";
      log.error(`Bundle refused, ${serving}: ${refusal}`, { source: source.name });
    }
    onChange();
  }

  /** The source could not be reached: not its fault, and no change will tell us when it can. */
  #retryLater(): void {
    this.#cancelRetry = (this.#options.clock ?? systemClock).after(RETRY_MS, () => void this.load());
  }
}

function refuseOtherCrd(old: CrdName, crd: CrdName): void {
  if (old.group === crd.group && old.kind === crd.kind && old.version === crd.version) return;
  throw new ConfigError([{
    file: "implementation.yaml",
    key: "crd",
    message:
      `The CRD changed from ${old.kind}.${old.version}.${old.group} to ${crd.kind}.${crd.version}.${crd.group}: restart the operator for that`,
  }]);
}
