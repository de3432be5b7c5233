/** What the engine says about itself: log lines and metrics, behind small ports. The door of the folder. */
export * from "./logger.ts";
export * from "./metrics.ts";
