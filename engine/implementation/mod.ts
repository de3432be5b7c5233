/** Implementations: what they are, how they are read and checked, and where they come from. The door of the folder. */
export * from "./model.ts";
export * from "./source.ts";
export * from "./config_error.ts";
export { FolderSource, type FolderSourceOptions } from "./folder_source.ts";
export { DEFAULTS, IMPLEMENTATION_FILE, ORDER_FILE } from "./parse.ts";
export { type ConfigMapReader, ConfigMapSource, type ConfigMapSourceOptions } from "./configmap_source.ts";
