/**
 * Sizes as people write them in configuration: `4Mi`, `512Ki`, `1000000`.
 */

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
