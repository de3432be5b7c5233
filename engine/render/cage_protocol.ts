/**
 * What crosses between the engine and the cage: plain data only, one request at a time, one answer to each.
 */
import type { Bundle, Implementation } from "../implementation/mod.ts";
import type { JsonObject } from "../meta/json.ts";
import type { RenderProblem } from "./render_error.ts";
import type { Rendered, RenderRequest, StatusRequest } from "./renderer.ts";

/** To the worker. */
export type CageRequest =
  /** The first one: the language of all bundles to come, and a place where the worker writes the index of the template that it renders. */
  | {
    readonly kind: "start";
    readonly language: Implementation["language"];
    readonly progress: Int32Array<SharedArrayBuffer>;
  }
  | { readonly kind: "load"; readonly bundle: Bundle }
  | { readonly kind: "render"; readonly request: RenderRequest }
  | { readonly kind: "status"; readonly request: StatusRequest }
  | { readonly kind: "documents"; readonly template: string; readonly values: string };

/** From the worker. A defect is an error of the engine itself. */
export type CageAnswer =
  | { readonly kind: "ready" }
  | { readonly kind: "loaded" }
  | { readonly kind: "rendered"; readonly rendered: Rendered }
  | { readonly kind: "status"; readonly status: JsonObject }
  | { readonly kind: "documents"; readonly documents: readonly string[] }
  | { readonly kind: "refused"; readonly problems: readonly RenderProblem[] }
  | { readonly kind: "defect"; readonly message: string };

/** Every template of a bundle, in the order of the indexes that `progress` holds. */
export function templateIndex(bundle: Bundle): readonly string[] {
  return [...bundle.sources.keys()];
}
