/**
 * Conditions of a status, by the Kubernetes API conventions: one entry per type, and `lastTransitionTime` moves only
 * when `status` does, so that a status written twice is the same status.
 */
import { formatTime } from "./time.ts";

/** An entry of `status.conditions`. `lastTransitionTime` is RFC 3339, in seconds. */
export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
  readonly observedGeneration?: number;
}

/** A condition before it is known when it changed last. */
export type WantedCondition = Omit<Condition, "lastTransitionTime">;

/**
 * Merges wanted conditions into present ones: types that are not ours stay, in place; ours keep their
 * `lastTransitionTime` unless their status changed. `now` is used for those that did.
 */
export function mergeConditions(
  present: readonly Condition[],
  wanted: readonly WantedCondition[],
  now: Date,
): readonly Condition[] {
  const time = formatTime(now);
  const merged = present.map((old) => {
    const mine = wanted.find((condition) => condition.type === old.type);
    if (mine === undefined) return old;
    return { ...mine, lastTransitionTime: mine.status === old.status ? old.lastTransitionTime : time };
  });
  const added = wanted.filter((mine) => !present.some((old) => old.type === mine.type));
  return [...merged, ...added.map((mine) => ({ ...mine, lastTransitionTime: time }))];
}
