/**
 * A Renderer without a cage: for unit tests and for offline tools whose user wrote the templates. The limits
 * hold here, too, but a defect of the engine would not stay inside.
 */
import type { Bundle } from "../implementation/mod.ts";
import type { JsonObject } from "../meta/json.ts";
import { BundleCore } from "./core.ts";
import { languageNamed } from "./languages.ts";
import { withDigest } from "./outcome_digest.ts";
import type { Rendered, RenderRequest, StatusRequest, TemplateRenderer } from "./renderer.ts";

/** See the comment of the file. */
export class InProcessRenderer implements TemplateRenderer {
  #core: BundleCore | undefined;

  async load(bundle: Bundle): Promise<void> {
    const language = await languageNamed(bundle.implementation.language);
    this.#core = new BundleCore(bundle, { language, now: () => performance.now() });
  }

  async render(request: RenderRequest): Promise<Rendered> {
    return await withDigest(this.#loaded().render(request));
  }

  // deno-lint-ignore require-await -- errors reject, as they do in the cage
  async renderStatus(request: StatusRequest): Promise<JsonObject> {
    return this.#loaded().renderStatus(request);
  }

  // deno-lint-ignore require-await -- as above
  async renderDocuments(template: string, values: string): Promise<readonly string[]> {
    return this.#loaded().renderDocuments(template, values);
  }

  close(): void {
    this.#core = undefined;
  }

  #loaded(): BundleCore {
    if (this.#core === undefined) throw new Error("No bundle is loaded");
    return this.#core;
  }
}
