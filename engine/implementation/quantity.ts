/**
 * Durations and sizes as people write them in configuration: `1h30m`, `500ms`, `4Mi`.
 */

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const DURATION = /^(\d+(\.\d+)?(ms|s|m|h))+$/;
const DURATION_PART = /(\d+(?:\.\d+)?)(ms|s|m|h)/g;

/** Milliseconds of a duration such as `10h`, `1h30m`, `1.5s`, `500ms`; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  if (!DURATION.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(DURATION_PART)) {
    total += Number(amount) * (UNIT_MS[unit ?? ""] ?? 0);
  }
  return Number.isSafeInteger(Math.round(total)) ? Math.round(total) : undefined;
}

const UNIT_BYTES: Readonly<Record<string, number>> = {
  "": 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: 1024 ** 3,
};
const BYTES = /^(\d+)(|k|M|G|Ki|Mi|Gi)$/;

/** Bytes of a Kubernetes quantity such as `4Mi` or `1000000` (a number, too); undefined for anything else, and zero. */
export function parseBytes(value: unknown): number | undefined {
  const [, amount, unit] = BYTES.exec(String(value)) ?? [];
  const bytes = Number(amount) * (UNIT_BYTES[unit ?? ""] ?? NaN);
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : undefined;
}
