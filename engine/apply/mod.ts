/** What is wanted against what is there: plan, apply, prune. The door of the folder. */
export * from "./apply.ts";
export * from "./desired.ts";
export * from "./drift.ts";
export * from "./ownership.ts";
export * from "./plan.ts";
export * from "./prune.ts";
export * from "./readiness.ts";
export type * from "./tracked.ts";
