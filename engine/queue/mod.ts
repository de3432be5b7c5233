/** What waits for work, and for how long. The door of the folder. */
export * from "./backoff.ts";
export * from "./clock.ts";
export * from "./rate_limiter.ts";
export * from "./work_queue.ts";
