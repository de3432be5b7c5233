/**
 * An implementation in ConfigMaps of one namespace: one holds `implementation.yaml`, and the others are those that template names
 * (`configmap/key`) lead to, from there and from what the templates include.
 *
 * All of them are read at one time, and a bundle comes of it or a refusal: several ConfigMaps that change within a moment (an
 * upgrade of a chart) are one change. Reading and watching ConfigMaps is `runtime`'s, behind a narrow port.
 */
import { assembleBundle } from "./bundle.ts";
import { ConfigError } from "./config_error.ts";
import { type Clock, systemClock } from "../queue/mod.ts";
import { debounce } from "./debounce.ts";
import { type Bundle, listedTemplates } from "./model.ts";
import {
  appendOrder,
  type ConfigText,
  IMPLEMENTATION_FILE,
  ORDER_FILE,
  type ParsedImplementation,
  parseImplementation,
} from "./parse.ts";
import { referencedTemplates } from "./references.ts";
import type { SourceOptions, TemplateSource } from "./source.ts";

/** Reads and watches ConfigMaps of one namespace. */
export interface ConfigMapReader {
  /** `data` of a ConfigMap; undefined when there is no such ConfigMap. */
  get(name: string): Promise<Readonly<Record<string, string>> | undefined>;
  /**
   * Watches just these ConfigMaps, those too that are not there yet. Calls `onChange` once the watches stand (what changed since
   * `get` would be missed otherwise), then for every change. Ends when `signal` aborts.
   */
  watch(names: readonly string[], onChange: () => void, signal: AbortSignal): Promise<void>;
}

/** Which ConfigMaps, and how they are reached. */
export interface ConfigMapSourceOptions extends SourceOptions {
  readonly namespace: string;
  /** The ConfigMap that holds `implementation.yaml` (or the older `templates-order.yaml`). */
  readonly configMap: string;
  readonly reader: ConfigMapReader;
  /** A ConfigMap with `templates-order.yaml` whose templates and jobs come behind the others; it may be absent. */
  readonly extra?: string;
  /** Silence after a change before it is reported, in milliseconds. Default 500. */
  readonly debounceMs?: number;
  readonly clock?: Clock;
}

type Data = Readonly<Record<string, string>>;

/** Reads and watches the ConfigMaps of one implementation. */
export class ConfigMapSource implements TemplateSource {
  readonly name: string;
  readonly #options: ConfigMapSourceOptions;
  /** ConfigMaps that the last `read()` asked for, there or not. */
  #names: readonly string[];
  #onNames: () => void = () => {};

  constructor(options: ConfigMapSourceOptions) {
    this.name = `configmap:${options.namespace}/${options.configMap}`;
    this.#options = options;
    this.#names = [options.configMap, ...(options.extra === undefined ? [] : [options.extra])];
  }

  async read(): Promise<Bundle> {
    const maps = new Map<string, Data | undefined>();
    try {
      const parsed = await this.#parse(maps);
      const sources = await this.#readSources(parsed, maps);
      return assembleBundle(parsed, sources, (name) => {
        const where = `ConfigMap \`${name}\` in namespace ${this.#options.namespace}`;
        return maps.get(name) === undefined ? `there is no ${where}` : `the ${where} is empty`;
      });
    } finally {
      this.#remember([...maps.keys()]);
    }
  }

  async run(signal: AbortSignal, onChange: () => void): Promise<void> {
    const { reader, debounceMs = 500, clock = systemClock } = this.#options;
    const changes = debounce(onChange, debounceMs, clock);
    try {
      while (!signal.aborted) {
        const round = new AbortController();
        this.#onNames = () => round.abort();
        await reader.watch(this.#names, changes.poke, AbortSignal.any([signal, round.signal]));
        if (!round.signal.aborted) return;
      }
    } finally {
      this.#onNames = () => {};
      changes.stop();
    }
  }

  async #parse(maps: Map<string, Data | undefined>): Promise<ParsedImplementation> {
    const { configMap, extra, namespace } = this.#options;
    await this.#fetch([configMap, ...(extra === undefined ? [] : [extra])], maps);
    const config = configOf(configMap, maps.get(configMap));
    if (config === undefined) {
      const message = maps.get(configMap) === undefined
        ? `There is no such ConfigMap in namespace \`${namespace}\`; create it, or name another one`
        : `Has no key \`${IMPLEMENTATION_FILE}\` (nor the older \`${ORDER_FILE}\`); add it`;
      throw new ConfigError([{ file: configMap, message }]);
    }
    const parsed = parseImplementation(config, this.#options);
    const more = extra === undefined ? undefined : configOf(extra, maps.get(extra));
    return more === undefined ? parsed : appendOrder(parsed, more);
  }

  /** Follows names to ConfigMaps and their texts to further names, until nothing new comes up. */
  async #readSources(
    parsed: ParsedImplementation,
    maps: Map<string, Data | undefined>,
  ): Promise<ReadonlyMap<string, string>> {
    const sources = new Map<string, string>();
    const done = new Set<string>();
    let wanted = folders(listedTemplates(parsed.implementation));
    while (wanted.length > 0) {
      await this.#fetch(wanted.filter((name) => !maps.has(name)), maps);
      const found: string[] = [];
      for (const folder of wanted) {
        done.add(folder);
        for (const [key, text] of Object.entries(maps.get(folder) ?? {})) {
          if (key === IMPLEMENTATION_FILE || key === ORDER_FILE) continue;
          sources.set(`${folder}/${key}`, text);
          found.push(...referencedTemplates(text));
        }
      }
      wanted = folders(found).filter((name) => !done.has(name));
    }
    return sources;
  }

  async #fetch(names: readonly string[], maps: Map<string, Data | undefined>): Promise<void> {
    const read = await Promise.all(names.map((name) => this.#options.reader.get(name)));
    names.forEach((name, at) => maps.set(name, read[at]));
  }

  /** Also after a refusal: what is missing has to be watched, or its coming would not be noticed. */
  #remember(names: readonly string[]): void {
    const sorted = [...names].sort();
    if (sorted.length === 0 || sorted.join() === [...this.#names].sort().join()) return;
    this.#names = sorted;
    this.#onNames();
  }
}

function configOf(configMap: string, data: Data | undefined): ConfigText | undefined {
  for (const key of [IMPLEMENTATION_FILE, ORDER_FILE]) {
    const text = data?.[key];
    if (text !== undefined) return { name: `${configMap}/${key}`, text };
  }
  return undefined;
}

/** The ConfigMap part of template names, each once. */
function folders(names: readonly string[]): readonly string[] {
  return [...new Set(names.map((name) => name.slice(0, name.indexOf("/"))))];
}
