/** Pure data of Kubernetes: objects, references, conditions, names, JSON and digests. The door of the folder. */
export * from "./condition.ts";
export * from "./digest.ts";
export * from "./duration.ts";
export * from "./gvk.ts";
export * from "./json.ts";
export * from "./label.ts";
export * from "./nearest.ts";
export * from "./object.ts";
export * from "./ref.ts";
export * from "./inventory.ts";
export * from "./manifest.ts";
export * from "./time.ts";
