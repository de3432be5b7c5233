/** What is remembered of an instance: its record and history. The door of the folder. */
export * from "./decoding.ts";
export * from "./history.ts";
export * from "./record.ts";
export * from "./record_store.ts";
