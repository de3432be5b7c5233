/** Rendering: instance and bundle in, manifests out, in a cage. The door of the folder. */
export * from "./render_error.ts";
export * from "./renderer.ts";
export { CagedRenderer, type CageOptions } from "./cage.ts";
export { workerSpawner } from "./cage_thread.ts";
export { InProcessRenderer } from "./in_process_renderer.ts";
