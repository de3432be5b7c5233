/** Caches that stay in step with the API server, and never lag behind our own writes. The door of the folder. */
export * from "./informer.ts";
export * from "./informers.ts";
export type { CacheWrite } from "./assumed.ts";
export type { Indexes, IndexFunction } from "./store.ts";
