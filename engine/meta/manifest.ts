/**
 * A manifest: one rendered document with what the template wants done with it. `render` makes them, `apply` carries
 * them out; the keys that began with `_` in the document are the fields beside `object` here.
 */
import type { KubeObject } from "./object.ts";

/** Which line of which template printed a document. `line` is 1-based. */
export interface Origin {
  readonly template: string;
  readonly line: number;
}

/** One document with an intent. */
export interface Manifest {
  /** The document without the keys that begin with `_`. */
  readonly object: KubeObject;
  readonly action: "apply" | "delete";
  /** `_wait`: what comes later in the order waits until the object is ready. */
  readonly wait: false | { readonly timeoutMs?: number };
  /** `_keep`: `always` is never pruned or deleted, `until-deleted` is not pruned but goes with the instance. */
  readonly keep: false | "always" | "until-deleted";
  /** `_replace`: delete and create again when an immutable field must change. */
  readonly replace: boolean;
  /** `_ignore`: dotted paths that are set at creation and then left to others. */
  readonly ignore: readonly string[];
  readonly origin: Origin;
}

/** For messages: `templates-core/quota.yaml line 8`. */
export function formatOrigin(origin: Origin): string {
  return `${origin.template} line ${origin.line}`;
}
