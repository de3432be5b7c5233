import assert from "node:assert/strict";
import { CagedRenderer } from "./cage.ts";
import type { CageAnswer, CageRequest } from "./cage_protocol.ts";
import type { CageListener } from "./cage_thread.ts";
import { RenderError } from "./render_error.ts";
import { bundleOf, requestFor } from "./testdata/bundle.ts";

/** A clock that stands still until told. */
class FakeClock {
  bytes = 0;
  #now = 0;
  readonly #timers = new Map<number, { readonly at: number; readonly action: () => void }>();
  #next = 1;

  readonly after = (delayMs: number, action: () => void): () => void => {
    const timer = this.#next++;
    this.#timers.set(timer, { at: this.#now + delayMs, action });
    return () => void this.#timers.delete(timer);
  };
  readonly memory = (): number => this.bytes;

  get pending(): number {
    return this.#timers.size;
  }

  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const [first] = [...this.#timers].filter(([, { at }]) => at <= until).sort(([, a], [, b]) =>
        a.at - b.at
      );
      if (first === undefined) break;
      this.#timers.delete(first[0]);
      this.#now = first[1].at;
      first[1].action();
    }
    this.#now = until;
  }
}

/** Threads that answer only when told to. */
class FakeThreads {
  readonly threads: { readonly listener: CageListener; readonly requests: CageRequest[]; ended: boolean }[] =
    [];

  readonly spawn = (listener: CageListener) => {
    const thread = { listener, requests: new Array<CageRequest>(), ended: false };
    this.threads.push(thread);
    return {
      post: (request: CageRequest) => void thread.requests.push(request),
      end: () => {
        thread.ended = true;
      },
    };
  };

  get last() {
    const thread = this.threads.at(-1);
    assert.ok(thread);
    return thread;
  }

  answer(answer: CageAnswer): void {
    this.last.listener.answer(answer);
  }

  get kinds(): readonly string[] {
    return this.last.requests.map((request) => request.kind);
  }
}

const RENDERED: CageAnswer = {
  kind: "rendered",
  rendered: { manifests: [], values: "{}", namespaces: [], digest: "d" },
};

async function loadedCage() {
  const clock = new FakeClock();
  const threads = new FakeThreads();
  const cage = new CagedRenderer({ spawn: threads.spawn, clock, loadMs: 5000, memoryBytes: 1000 });
  const loading = cage.load(bundleOf({ "a/b.yaml": "" }));
  threads.answer({ kind: "ready" });
  threads.answer({ kind: "loaded" });
  await loading;
  return { clock, threads, cage };
}

async function fails(promise: Promise<unknown>, words: RegExp): Promise<Error> {
  const error = await promise.then(() => undefined, (reason) => reason);
  assert.ok(error instanceof Error);
  assert.match(error.message, words);
  return error;
}

Deno.test("requests go in one at a time, in order, and no timer is left behind", async () => {
  const { cage, threads, clock } = await loadedCage();
  const first = cage.render(requestFor("one"));
  const second = cage.render(requestFor("two"));
  assert.deepEqual(threads.kinds, ["start", "load", "render"]);
  threads.answer(RENDERED);
  assert.equal((await first).digest, "d");
  assert.deepEqual(threads.kinds, ["start", "load", "render", "render"]);
  threads.answer(RENDERED);
  await second;
  assert.equal(clock.pending, 0);
  assert.equal(threads.threads.length, 1);
});

Deno.test("time that is up ends only the render that is inside", async () => {
  const { cage, threads, clock } = await loadedCage();
  const guilty = cage.render(requestFor("guilty"));
  const other = cage.render(requestFor("other"));
  clock.advance(2000);
  assert.equal(threads.threads.length, 1, "an answer may be under way");
  clock.advance(60);
  const error = await fails(guilty, /longer than its limit of 2000 ms .* `limits.render`/);
  assert.ok(error instanceof RenderError);
  assert.equal(error.kind, "limit");
  assert.deepEqual(threads.threads.map((thread) => thread.ended), [true, false]);
  assert.deepEqual(threads.kinds, ["start"]);
  threads.answer({ kind: "ready" });
  threads.answer({ kind: "loaded" });
  assert.deepEqual(threads.kinds, ["start", "load", "render"]);
  threads.answer(RENDERED);
  await other;
  assert.equal(clock.pending, 0);
});

Deno.test("an answer that comes while the event loop was busy counts", async () => {
  const { cage, threads, clock } = await loadedCage();
  const slow = cage.render(requestFor("slow"));
  clock.advance(2010);
  threads.answer(RENDERED);
  await slow;
  clock.advance(5000);
  assert.equal(threads.threads.length, 1);
});

Deno.test("memory that grows too far ends the render", async () => {
  const { cage, threads, clock } = await loadedCage();
  clock.bytes = 500;
  const fine = cage.render(requestFor("fine"));
  clock.advance(25);
  clock.bytes = 1500;
  clock.advance(100);
  threads.answer(RENDERED);
  await fine;
  const greedy = cage.render(requestFor("greedy"));
  clock.advance(25);
  clock.bytes = 2501;
  clock.advance(25);
  await fails(greedy, /more memory than its limit of 1000 bytes/);
});

Deno.test("the template that was inside is named", async () => {
  const { cage, threads, clock } = await loadedCage();
  const start = threads.last.requests[0];
  assert.ok(start?.kind === "start");
  const guilty = cage.render(requestFor("guilty"));
  Atomics.store(start.progress, 0, 0);
  clock.advance(2100);
  await fails(guilty, /^a\/b\.yaml: Rendering took longer/);
});

Deno.test("a crash fails the render inside, and the next one gets a new worker", async () => {
  const { cage, threads } = await loadedCage();
  const guilty = cage.render(requestFor("guilty"));
  threads.last.listener.crashed("boom");
  const error = await fails(guilty, /ended by itself: boom/);
  assert.ok(!(error instanceof RenderError), "no fault of the template");
  const next = cage.render(requestFor("next"));
  threads.answer({ kind: "ready" });
  threads.answer({ kind: "loaded" });
  threads.answer(RENDERED);
  await next;
});

Deno.test("a worker that cannot start fails all who wait, without a loop, and is tried again when asked", async () => {
  const threads = new FakeThreads();
  const cage = new CagedRenderer({ spawn: threads.spawn, clock: new FakeClock() });
  const loading = cage.load(bundleOf({}));
  threads.last.listener.crashed("no such module");
  await fails(loading, /no such module/);
  assert.equal(threads.threads.length, 1);
  const again = cage.load(bundleOf({}));
  assert.equal(threads.threads.length, 2);
  threads.answer({ kind: "ready" });
  threads.answer({ kind: "loaded" });
  await again;
});

Deno.test("a bundle that is refused, or hangs, leaves the one before in its place", async () => {
  const { cage, threads, clock } = await loadedCage();
  const refused = cage.load(bundleOf({ "a/bad.yaml": "" }));
  threads.answer({ kind: "refused", problems: [{ kind: "syntax", template: "a/bad.yaml", message: "Bad" }] });
  await fails(refused, /^a\/bad\.yaml: Bad$/);
  const hanging = cage.load(bundleOf({ "a/hangs.yaml": "" }));
  clock.advance(5060);
  await fails(hanging, /Compiling the templates took longer than its limit of 5000 ms/);
  threads.answer({ kind: "ready" });
  const reload = threads.last.requests.at(-1);
  assert.ok(reload?.kind === "load");
  assert.deepEqual([...reload.bundle.sources.keys()], ["a/b.yaml"]);
});

Deno.test("a defect of the engine is no error of a template", async () => {
  const { cage, threads } = await loadedCage();
  const render = cage.render(requestFor("x"));
  threads.answer({ kind: "defect", message: "TypeError: x" });
  assert.ok(!(await fails(render, /defect of the engine: .*TypeError: x/) instanceof RenderError));
});

Deno.test("closing fails what is under way and what waits, and ends the worker", async () => {
  const { cage, threads, clock } = await loadedCage();
  const renders = [cage.render(requestFor("one")), cage.render(requestFor("two"))];
  cage.close();
  for (const render of renders) await fails(render, /closed/);
  assert.equal(threads.last.ended, true);
  assert.equal(clock.pending, 0);
  await fails(cage.render(requestFor("three")), /closed/);
});
