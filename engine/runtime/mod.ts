/** The running engine: loop, caches as a reconcile sees them, start and stop. The door of the folder. */
export * from "./child_caches.ts";
export * from "./config_map_reader.ts";
export * from "./controller.ts";
export * from "./health_server.ts";
export * from "./instance_cache.ts";
export * from "./waiting.ts";
