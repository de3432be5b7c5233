/**
 * The cage: a Renderer whose templates run in a Worker without permissions. Requests wait here and go in one at a time, so the one
 * that is inside when the time or the memory is up is the guilty one; it alone fails, the Worker is replaced, and the others go on.
 * Each implementation has a cage of its own, so nothing of another is ever inside; a Worker knows one language and is replaced for another.
 *
 * One at a time costs nothing: the Worker is one thread, and the way in and out takes 25 µs. Ending a Worker from outside is the second line: Deno
 * 2.9.6 takes its word away at once, but its thread spins on until it comes back to its event loop, so loops ask the clock themselves (`interrupted`).
 */
import type { Bundle, Implementation } from "../implementation/mod.ts";
import type { JsonObject } from "../meta/json.ts";
import { type CageAnswer, type CageRequest, templateIndex } from "./cage_protocol.ts";
import { type CageThread, type SpawnThread, workerSpawner } from "./cage_thread.ts";
import { RenderError, type RenderProblem } from "./render_error.ts";
import type { Rendered, RenderRequest, StatusRequest, TemplateRenderer } from "./renderer.ts";

/** The clock and the memory of the process; tests bring their own. */
export interface CageClock {
  /** Gives what cancels the action. */
  after(delayMs: number, action: () => void): () => void;
  /** Resident memory of the process, in bytes. */
  memory(): number;
}

/** Options of a cage. */
export interface CageOptions {
  /** Default: Workers from the module beside this file. */
  readonly spawn?: SpawnThread;
  readonly clock?: CageClock;
  /** Time for a Worker to start, and to compile a bundle, in milliseconds. Default 10,000. */
  readonly loadMs?: number;
  /** By how many bytes the process may grow during one render. Default 384 MiB. */
  readonly memoryBytes?: number;
}

/**
 * The core stops by itself at its limit, and its answer may be on its way while this event loop was busy. Only what does not come back after
 * this long is ended from outside. Milliseconds.
 */
const GRACE_MS = 60;
/** How often the memory is looked at during a render. Milliseconds. */
const MEMORY_CHECK_MS = 25;

const REAL_CLOCK: CageClock = {
  after: (delayMs, action) => {
    const timer = setTimeout(action, delayMs);
    return () => clearTimeout(timer);
  },
  memory: () => Deno.memoryUsage().rss,
};

/** One thing for the Worker to do. */
interface Job {
  readonly request: CageRequest;
  readonly limitMs: number;
  readonly resolve: (answer: CageAnswer) => void;
  readonly reject: (error: Error) => void;
  /** Start and reload of a Worker: not asked for from outside. */
  readonly internal?: boolean;
}

/** See the comment of the file. The Worker starts with the first `load`. */
export class CagedRenderer implements TemplateRenderer {
  readonly #spawn: SpawnThread;
  readonly #clock: CageClock;
  readonly #loadMs: number;
  readonly #memoryBytes: number;
  readonly #waiting: Job[] = [];
  readonly #progress = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #thread: CageThread | undefined;
  #language: Implementation["language"] = "jinja2";
  #current: Job | undefined;
  #cancelTime = () => {};
  #cancelMemory = () => {};
  #bundle: Bundle | undefined;
  #closed = false;

  constructor(options: CageOptions = {}) {
    this.#spawn = options.spawn ?? workerSpawner();
    this.#clock = options.clock ?? REAL_CLOCK;
    this.#loadMs = options.loadMs ?? 10_000;
    this.#memoryBytes = options.memoryBytes ?? 384 * 1024 * 1024;
  }

  async load(bundle: Bundle): Promise<void> {
    await this.#ask({ kind: "load", bundle }, this.#loadMs, "loaded");
  }

  async render(request: RenderRequest): Promise<Rendered> {
    return (await this.#ask({ kind: "render", request }, this.#renderMs(), "rendered")).rendered;
  }

  async renderStatus(request: StatusRequest): Promise<JsonObject> {
    return (await this.#ask({ kind: "status", request }, this.#renderMs(), "status")).status;
  }

  async renderDocuments(template: string, values: string): Promise<readonly string[]> {
    const request: CageRequest = { kind: "documents", template, values };
    return (await this.#ask(request, this.#renderMs(), "documents")).documents;
  }

  close(): void {
    this.#closed = true;
    this.#endThread();
    this.#failAll(new Error("The renderer was closed"));
  }

  #renderMs(): number {
    if (this.#bundle === undefined) throw new Error("No bundle is loaded");
    return this.#bundle.implementation.limits.renderMs;
  }

  async #ask<K extends CageAnswer["kind"]>(
    request: CageRequest,
    limitMs: number,
    kind: K,
  ): Promise<Extract<CageAnswer, { kind: K }>> {
    if (this.#closed) throw new Error("The renderer was closed");
    const answer = await new Promise<CageAnswer>((resolve, reject) => {
      this.#waiting.push({ request, limitMs, resolve, reject });
      this.#next();
    });
    if (hasKind(answer, kind)) return answer;
    if (answer.kind === "refused") throw new RenderError(answer.problems);
    throw new Error(`Rendering failed by a defect of the engine: ${JSON.stringify(answer)}`);
  }

  /** Sends in the next job, if nothing is inside. */
  #next(): void {
    const [next] = this.#waiting;
    if (this.#current !== undefined || next === undefined || this.#closed) return;
    this.#chooseLanguage(next.request);
    this.#thread ??= this.#startThread();
    const job = this.#waiting.shift();
    if (job === undefined) return;
    this.#current = job;
    if (job.request.kind !== "start") Atomics.store(this.#progress, 0, -1);
    this.#watch(job);
    this.#thread.post(job.request);
  }

  /** A Worker of another language goes; also when a bundle in another language was refused, and the one before serves on. */
  #chooseLanguage(request: CageRequest): void {
    const bundle = request.kind === "load" ? request.bundle : this.#bundle;
    if (request.kind === "start" || bundle === undefined) return;
    if (bundle.implementation.language === this.#language) return;
    this.#endThread();
    this.#language = bundle.implementation.language;
  }

  #watch(job: Job): void {
    // Most renders are over before the first look, which is the one that the others are measured by.
    let before: number | undefined;
    const checkMemory = () => {
      const now = this.#clock.memory();
      before ??= now;
      if (now - before > this.#memoryBytes) this.#stop(this.#memoryProblem());
      else this.#cancelMemory = this.#clock.after(MEMORY_CHECK_MS, checkMemory);
    };
    const timeIsUp = () => {
      this.#cancelTime = this.#clock.after(GRACE_MS, () => this.#stop(this.#timeProblem(job)));
    };
    this.#cancelTime = this.#clock.after(job.limitMs, timeIsUp);
    this.#cancelMemory = this.#clock.after(MEMORY_CHECK_MS, checkMemory);
  }

  #unwatch(): void {
    this.#cancelTime();
    this.#cancelMemory();
  }

  /** A Worker whose first jobs are to start and to load the bundle that serves. */
  #startThread(): CageThread {
    const ignore = () => {};
    const internal = { resolve: ignore, reject: ignore, limitMs: this.#loadMs, internal: true };
    const language = this.#language;
    if (this.#bundle?.implementation.language === language) {
      this.#waiting.unshift({ ...internal, request: { kind: "load", bundle: this.#bundle } });
    }
    this.#waiting.unshift({ ...internal, request: { kind: "start", language, progress: this.#progress } });
    const thread: CageThread = this.#spawn({
      answer: (answer) => {
        if (this.#thread === thread) this.#finish(answer);
      },
      crashed: (message) => {
        if (this.#thread === thread) this.#crash(message);
      },
    });
    return thread;
  }

  #finish(answer: CageAnswer): void {
    const job = this.#current;
    this.#unwatch();
    this.#current = undefined;
    if (job?.request.kind === "load" && answer.kind === "loaded") this.#bundle = job.request.bundle;
    job?.resolve(answer);
    this.#next();
  }

  /** Ends the Worker; the job inside fails, and the others go to a new one. */
  #stop(problem: RenderProblem): void {
    this.#replace(new RenderError([problem]));
  }

  #crash(message: string): void {
    this.#replace(new Error(`The template worker ended by itself: ${message}`));
  }

  #replace(error: Error): void {
    const job = this.#current;
    this.#endThread();
    this.#current = undefined;
    job?.reject(error);
    // What cannot start or reload now will not for the next one either: those who wait hear it, and their retry starts anew.
    if (job?.internal) return this.#failAll(error);
    this.#thread = this.#startThread();
    this.#next();
  }

  #endThread(): void {
    this.#unwatch();
    this.#thread?.end();
    this.#thread = undefined;
  }

  #failAll(error: Error): void {
    const jobs = [...(this.#current === undefined ? [] : [this.#current]), ...this.#waiting];
    this.#current = undefined;
    this.#waiting.length = 0;
    for (const job of jobs) job.reject(error);
  }

  #timeProblem({ request, limitMs }: Job): RenderProblem {
    if (request.kind === "load" || request.kind === "start") {
      const what = request.kind === "load" ? "Compiling the templates" : "Starting the template worker";
      return {
        kind: "limit",
        message: `${what} took longer than its limit of ${limitMs} ms and was stopped`,
      };
    }
    return {
      kind: "limit",
      template: this.#templateInside(),
      message: `Rendering took longer than its limit of ${limitMs} ms and was stopped`,
      hint: "make its loops smaller, or raise `limits.render` in implementation.yaml",
    };
  }

  #memoryProblem(): RenderProblem {
    return {
      kind: "limit",
      template: this.#templateInside(),
      message: `Rendering took more memory than its limit of ${this.#memoryBytes} bytes and was stopped`,
      hint: "make its loops, lists and texts smaller",
    };
  }

  #templateInside(): string | undefined {
    const index = Atomics.load(this.#progress, 0);
    return this.#bundle === undefined ? undefined : templateIndex(this.#bundle)[index];
  }
}

function hasKind<K extends CageAnswer["kind"]>(
  answer: CageAnswer,
  kind: K,
): answer is Extract<CageAnswer, { kind: K }> {
  return answer.kind === kind;
}
