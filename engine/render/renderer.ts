/**
 * The port that reconciling speaks to: an instance goes in as text, manifests come out. The cage stands behind it in a running engine,
 * the bare core in unit tests and offline tools.
 */
import type { Bundle, CrdName } from "../implementation/mod.ts";
import type { JsonObject, Manifest } from "../meta/mod.ts";

/** Everything that a render depends on, besides the bundle. Equal requests give equal results. */
export interface RenderRequest {
  /** JSON text of the instance, as the API server gave it. */
  readonly instance: string;
  readonly engine: {
    readonly revision: number;
    /** Time of the revision, RFC 3339. The only clock that templates see. */
    readonly revisionTimestamp: string;
    readonly crd: CrdName;
    readonly operator: { readonly namespace: string; readonly version: string };
    /** True while the controller of an instance takes everything away. */
    readonly shutdown: boolean;
  };
  /** JSON text of a mapping: what the `watch:` entries found. */
  readonly watched: string;
  /** JSON text of the values printed at the last successful reconcile. */
  readonly previous: string;
}

/** A render for the status template, after the children were applied. */
export interface StatusRequest extends RenderRequest {
  /** What the round did; templates see it as `result`. */
  readonly result: JsonObject;
}

/** What a render comes to. */
export interface Rendered {
  readonly manifests: readonly Manifest[];
  /** JSON text of what the values templates printed, merged. */
  readonly values: string;
  /** The record's name, where the implementation names it. */
  readonly historyName?: string;
  /** Namespaces that the implementation declares for this instance. */
  readonly namespaces: readonly string[];
  /** Of manifests, historyName and namespaces: equal outcome, equal digest. Where in a template a document stands does not count. */
  readonly digest: string;
}

/** Renders the instances of one implementation. */
export interface Renderer {
  /**
   * Compiles every template and swaps the bundle in as a whole. Throws `RenderError` with all problems, and the bundle before goes on
   * serving.
   */
  load(bundle: Bundle): Promise<void>;
  /** Renders everything or throws `RenderError` with all problems; nothing in between. */
  render(request: RenderRequest): Promise<Rendered>;
  /** Renders the implementation's status template; an empty mapping where it has none. Throws `RenderError`. */
  renderStatus(request: StatusRequest): Promise<JsonObject>;
  /** Ends what works in the background. Renders that are under way or waiting fail. */
  close(): void;
}

/** A Renderer that can render a single template, too: for authors, offline. */
export interface TemplateRenderer extends Renderer {
  /**
   * Renders one template of the bundle with just these values (JSON text of a mapping). Gives the JSON text of each document as it was read,
   * keys that begin with `_` included, after the checks of a render. Throws `RenderError`.
   */
  renderDocuments(template: string, values: string): Promise<readonly string[]>;
}
