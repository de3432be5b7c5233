/** Rendering: instance and bundle in, manifests out, in a cage. The door of the folder. */
export * from "./render_error.ts";
export * from "./renderer.ts";
