/** Implementations: what they are, how they are read and checked, and where they come from. The door of the folder. */
export * from "./model.ts";
export * from "./source.ts";
export * from "./config_error.ts";
