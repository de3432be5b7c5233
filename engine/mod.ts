/**
 * The engine's only door: what controllers/, cli/ and main.ts may use. It knows Kubernetes, templates and revisions, and no CRD by name.
 */
export * from "./meta/mod.ts";
export * from "./observe/mod.ts";
export * from "./yaml/mod.ts";
export * from "./queue/mod.ts";
export * from "./kube/mod.ts";
export * from "./implementation/mod.ts";
export * from "./watch/mod.ts";
export {
  CagedRenderer,
  formatExcerpt,
  formatProblem as formatRenderProblem,
  RenderError,
  type RenderErrorKind,
  type RenderProblem,
} from "./render/mod.ts";
export type { Rendered, Renderer, RenderRequest, StatusRequest } from "./render/mod.ts";
export * from "./apply/mod.ts";
export * from "./revision/mod.ts";
export * from "./report/mod.ts";
export * from "./reconcile/mod.ts";
export * from "./runtime/mod.ts";
