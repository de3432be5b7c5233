/**
 * An implementation in a folder on disk: `implementation.yaml` beside folders of templates, each of which will be a ConfigMap.
 *
 * Saving a file brings it in: editors write beside the file and rename, and a mounted ConfigMap swaps a symbolic link, so the
 * folder is watched rather than its files, and everything is read anew after a short silence.
 */
import { assembleBundle } from "./bundle.ts";
import { ConfigError } from "./config_error.ts";
import { type Clock, systemClock } from "../queue/mod.ts";
import { debounce } from "./debounce.ts";
import type { Bundle } from "./model.ts";
import {
  appendOrder,
  type ConfigText,
  IMPLEMENTATION_FILE,
  ORDER_FILE,
  parseImplementation,
} from "./parse.ts";
import type { SourceOptions, TemplateSource } from "./source.ts";

/** Options of a FolderSource. */
export interface FolderSourceOptions extends SourceOptions {
  /** A second order file, whose templates and jobs come behind the others; it may be absent. */
  readonly extra?: string;
  /** Silence after a change before it is reported, in milliseconds. Default 100. */
  readonly debounceMs?: number;
  readonly clock?: Clock;
}

/** Reads and watches one folder. Every file `folder/file` in it is a template, listed or not, so that includes find it. */
export class FolderSource implements TemplateSource {
  readonly name: string;
  readonly #path: string;
  readonly #options: FolderSourceOptions;

  constructor(path: string, options: FolderSourceOptions = {}) {
    this.name = `folder:${path}`;
    this.#path = path;
    this.#options = options;
  }

  async read(): Promise<Bundle> {
    const parsed = parseImplementation(await this.#readConfig(), this.#options);
    const extra = this.#options.extra;
    const order = extra === undefined ? undefined : await readIfThere(extra);
    const sources = await this.#readSources();
    if (extra === undefined || order === undefined) return assembleBundle(parsed, sources);
    return assembleBundle(appendOrder(parsed, { name: extra, text: order }), sources);
  }

  async run(signal: AbortSignal, onChange: () => void): Promise<void> {
    if (signal.aborted) return;
    const changes = debounce(onChange, this.#options.debounceMs ?? 100, this.#options.clock ?? systemClock);
    const watcher = Deno.watchFs(await this.#watchedPaths(), { recursive: true });
    const stop = () => watcher.close();
    signal.addEventListener("abort", stop, { once: true });
    try {
      if (signal.aborted) return stop();
      changes.poke(); // What changed between the last read and this moment was not seen.
      for await (const event of watcher) if (event.kind !== "access") changes.poke();
    } finally {
      signal.removeEventListener("abort", stop);
      changes.stop();
    }
  }

  async #readConfig(): Promise<ConfigText> {
    for (const file of [IMPLEMENTATION_FILE, ORDER_FILE]) {
      const path = `${this.#path}/${file}`;
      const text = await readIfThere(path);
      if (text !== undefined) return { name: path, text };
    }
    const message = `Is not there; write ${IMPLEMENTATION_FILE} into the folder, or name another folder`;
    throw new ConfigError([{ file: `${this.#path}/${IMPLEMENTATION_FILE}`, message }]);
  }

  async #readSources(): Promise<ReadonlyMap<string, string>> {
    const sources = new Map<string, string>();
    for (const folder of await visibleNames(this.#path)) {
      for (const file of await visibleNames(`${this.#path}/${folder}`)) {
        const text = await readIfThere(`${this.#path}/${folder}/${file}`);
        if (text !== undefined) sources.set(`${folder}/${file}`, text);
      }
    }
    return sources;
  }

  /** Links lead out of the folder, and a watch does not follow them. */
  async #watchedPaths(): Promise<string[]> {
    const root = await Deno.realPath(this.#path);
    const folders = await Promise.all(
      (await visibleNames(root)).map((name) => Deno.realPath(`${root}/${name}`)),
    );
    const extra = this.#options.extra?.replace(/[^/]*$/, "");
    const outside = [...folders, ...(extra === undefined ? [] : [await Deno.realPath(extra || ".")])]
      .filter((path) => path !== root && !path.startsWith(`${root}/`));
    return [root, ...new Set(outside)];
  }
}

/** Names in a folder, in order, without hidden ones (a mounted ConfigMap keeps its versions in `..2026_...`); none for a file. */
async function visibleNames(path: string): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const entry of Deno.readDir(path)) if (!entry.name.startsWith(".")) names.push(entry.name);
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotADirectory) && !(cause instanceof Deno.errors.NotFound)) {
      throw cause;
    }
  }
  return names.sort();
}

/** The text of a file; undefined for a folder, and for what is gone: a save may take the file away for a moment. */
async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(path);
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound || cause instanceof Deno.errors.IsADirectory) return undefined;
    throw cause;
  }
}
