/**
 * Which endpoint serves a type: the port `RestMapper` (kind in, resource out).
 */
import type { GroupVersionKind } from "../meta/mod.ts";

/** An endpoint of the API server. `plural` is what paths are made of; a *resource*, where an *object* is one instance. */
export interface Resource extends GroupVersionKind {
  readonly plural: string;
  readonly namespaced: boolean;
  /** `status`, `scale`, ... */
  readonly subresources: readonly string[];
  /** `get`, `list`, `watch`, `patch`, ... */
  readonly verbs: readonly string[];
}

/** From kind to resource, by the server's own discovery. */
export interface RestMapper {
  /**
   * The resource of a type. On a miss the discovery is read again, once, but at most every few seconds; then a NoMatchError that
   * says what the server does serve of that group.
   */
  resourceFor(type: GroupVersionKind): Promise<Resource>;
  /** Forgets what it knows: the next question reads the discovery again (a CRD came, went or changed). */
  invalidate(): void;
}
