/**
 * Durations as people write them: in implementation.yaml (`resync: 10h`) and in rendered documents (`_wait: 90s`).
 */

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const DURATION = /^(\d+(\.\d+)?(ms|s|m|h))+$/;
const PART = /(\d+(?:\.\d+)?)(ms|s|m|h)/g;

/**
 * Milliseconds of a duration such as `10h`, `1h30m`, `1.5s`, `500ms`; undefined for any other text.
 *
 * @example
 * parseDuration("1h30m"); // 5_400_000
 */
export function parseDuration(text: string): number | undefined {
  if (!DURATION.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(PART)) {
    total += Number(amount) * (UNIT_MS[unit ?? ""] ?? 0);
  }
  return Number.isSafeInteger(Math.round(total)) ? Math.round(total) : undefined;
}
