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
  /**
   * Where the objects of a type can be reached, to look at them and to delete them: in the version that the server prefers, whatever the
   * type's own. Undefined when no version is served at all, which is certain: on a miss the discovery is read as for `resourceFor`, and an ApiError is
   * thrown while it is incomplete (an aggregated API server that is down, an API server that has just started).
   */
  servedAs(type: GroupVersionKind): Promise<Resource | undefined>;
  /** Forgets what it knows: the next question reads the discovery again (a CRD came, went or changed). */
  invalidate(): void;
}
