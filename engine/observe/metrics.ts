/**
 * Metrics as a port, and their text for Prometheus: names, labels and numbers in, the exposition format out.
 *
 * Labels multiply: a label with the name of every object would take memory without end. Each metric keeps a bounded number of series; beyond it
 * counts and observations go to one series whose labels are all `other`, and new gauges are dropped.
 */

/** Label names and values. Values come from small sets: a kind, an outcome, never the name of an object. */
export type Labels = Readonly<Record<string, string>>;

/** The port. Names are those of Prometheus: `_total` for counters, base units (`_seconds`, `_bytes`). */
export interface Metrics {
  /** Adds `by`, default 1. */
  counter(name: string, labels?: Labels, by?: number): void;
  /** Sets a value. */
  gauge(name: string, value: number, labels?: Labels): void;
  /** Adds an observation. */
  histogram(name: string, value: number, labels?: Labels): void;
}

/** Options of the Prometheus metrics. */
export interface PrometheusMetricsOptions {
  /** A line for people, by metric name. */
  readonly help?: Readonly<Record<string, string>>;
  /** Series of each metric. Default 1000. */
  readonly maxSeries?: number;
}

/** Upper bounds of the histogram buckets, in seconds: from a warm render to a long wait. */
const BUCKETS: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

type MetricType = "counter" | "gauge" | "histogram";

interface Series {
  readonly labels: string;
  value: number;
  /** Histograms only: observations by bucket, and all of them. */
  readonly buckets: number[];
  count: number;
}

interface Family {
  readonly type: MetricType;
  readonly series: Map<string, Series>;
}

/** Keeps numbers in memory and prints them. */
export class PrometheusMetrics implements Metrics {
  readonly #help: Readonly<Record<string, string>>;
  readonly #maxSeries: number;
  readonly #families = new Map<string, Family>();

  constructor(options: PrometheusMetricsOptions = {}) {
    this.#help = options.help ?? {};
    this.#maxSeries = options.maxSeries ?? 1000;
  }

  counter(name: string, labels: Labels = {}, by = 1): void {
    const series = this.#series(name, "counter", labels);
    if (series !== undefined) series.value += by;
  }

  gauge(name: string, value: number, labels: Labels = {}): void {
    const series = this.#series(name, "gauge", labels);
    if (series !== undefined) series.value = value;
  }

  histogram(name: string, value: number, labels: Labels = {}): void {
    const series = this.#series(name, "histogram", labels);
    if (series === undefined) return;
    series.value += value;
    series.count++;
    const bucket = BUCKETS.findIndex((bound) => value <= bound);
    if (bucket >= 0) series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1;
  }

  /** The text that a scrape is answered with (`text/plain; version=0.0.4`). */
  text(): string {
    const lines: string[] = [];
    for (const [name, { type, series }] of this.#families) {
      const help = this.#help[name];
      if (help !== undefined) {
        lines.push(`# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`);
      }
      lines.push(`# TYPE ${name} ${type}`);
      for (const one of series.values()) lines.push(...seriesLines(name, type, one));
    }
    return lines.map((line) => `${line}\n`).join("");
  }

  #series(name: string, type: MetricType, labels: Labels): Series | undefined {
    const family = this.#families.get(name) ?? { type, series: new Map<string, Series>() };
    if (family.type !== type) throw new TypeError(`Metric ${name} is a ${family.type}, not a ${type}`);
    this.#families.set(name, family);
    const known = family.series.get(labelText(labels));
    if (known !== undefined || family.series.size < this.#maxSeries) {
      return known ?? addSeries(family, labels);
    }
    if (type === "gauge") return undefined;
    const other = Object.fromEntries(Object.keys(labels).map((label) => [label, "other"]));
    return family.series.get(labelText(other)) ?? addSeries(family, other);
  }
}

function addSeries(family: Family, labels: Labels): Series {
  const series: Series = { labels: labelText(labels), value: 0, buckets: BUCKETS.map(() => 0), count: 0 };
  family.series.set(series.labels, series);
  return series;
}

function seriesLines(name: string, type: MetricType, series: Series): readonly string[] {
  const { labels, value, count } = series;
  if (type !== "histogram") return [`${name}${braced(labels)} ${numberText(value)}`];
  let below = 0;
  const buckets = BUCKETS.map((bound, i) => {
    below += series.buckets[i] ?? 0;
    return `${name}_bucket${braced(labels, `le="${bound}"`)} ${below}`;
  });
  return [
    ...buckets,
    `${name}_bucket${braced(labels, 'le="+Inf"')} ${count}`,
    `${name}_sum${braced(labels)} ${numberText(value)}`,
    `${name}_count${braced(labels)} ${count}`,
  ];
}

/** Labels in the order of their names: equal labels, equal text. */
function labelText(labels: Labels): string {
  return Object.keys(labels).sort().map((name) => `${name}="${escapeValue(labels[name] ?? "")}"`).join(",");
}

function escapeValue(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}

function braced(...parts: readonly string[]): string {
  const text = parts.filter((part) => part !== "").join(",");
  return text === "" ? "" : `{${text}}`;
}

function numberText(value: number): string {
  if (value === Infinity) return "+Inf";
  if (value === -Infinity) return "-Inf";
  return String(value);
}
