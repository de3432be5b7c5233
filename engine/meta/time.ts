/**
 * Times as Kubernetes writes them.
 */

/** RFC 3339 in UTC, in whole seconds: `2026-01-01T00:00:00Z`. */
export function formatTime(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, "Z");
}
