/**
 * The contract between the loop (runtime) and what it runs: a request in, a result out. A request is only a reference; the state
 * is read from caches (level-based), so a missed or doubled event costs nothing.
 */

/** Which instance to look at. */
export interface Request {
  readonly namespace?: string;
  readonly name: string;
}

/** What the loop is to do next with the request. Errors that are thrown are retried with growing pauses. */
export interface Result {
  /** Ask again after this time, in milliseconds. Absent: only when something changes. */
  readonly requeueAfterMs?: number;
  /** Try again with the queue's growing pauses, and not before `requeueAfterMs` if that is set. */
  readonly retry?: boolean;
}

/** Brings the world in line with one instance. */
export interface Reconciler {
  reconcile(request: Request, signal: AbortSignal): Promise<Result>;
}

/** Request → text, for queues. */
export function requestKey({ namespace, name }: Request): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** Text → request. */
export function parseRequestKey(key: string): Request {
  const slash = key.indexOf("/");
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** The request for the instance of a `refKey` (`Kind.group/namespace/name`). */
export function requestOfRefKey(key: string): Request {
  const [, namespace = "", name = ""] = key.split("/");
  return namespace === "" ? { name } : { namespace, name };
}
