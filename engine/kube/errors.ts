/**
 * What an API server's refusal means to us: one class per decision that a caller takes.
 *
 * Built from the HTTP status and the `Status` object in the body; the message says verb, object and the server's own words.
 */

/** The parts of an API answer that errors are made of. */
export interface ApiErrorInit {
  /** HTTP status code; 0 when no answer came (connection refused, reset, TLS). */
  readonly code: number;
  /** `reason` of the `Status`: `NotFound`, `Conflict`, `AlreadyExists`, ... */
  readonly reason?: string;
  /** `details.causes` of the `Status`: field and message of each. */
  readonly causes?: readonly {
    readonly field?: string;
    readonly reason?: string;
    readonly message?: string;
  }[];
  /** Wait at least this long before the next try (`Retry-After`), in milliseconds. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** An answer of the API server that is not a success, or no answer. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly code: number;
  readonly reason: string;
  readonly causes: NonNullable<ApiErrorInit["causes"]>;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, init: ApiErrorInit) {
    super(message, { cause: init.cause });
    this.code = init.code;
    this.reason = init.reason ?? "";
    this.causes = init.causes ?? [];
    this.retryAfterMs = init.retryAfterMs;
  }
}

/** 404: the object, or its namespace, is not there. */
export class NotFoundError extends ApiError {
  override name = "NotFoundError";
}

/**
 * 404, but not about the object: the server knows no such endpoint (any more), since a version of a CRD is served no longer, say. It says
 * nothing about whether the object is there. After it, discovery is old: `RestMapper.invalidate`.
 */
export class NotServedError extends ApiError {
  override name = "NotServedError";
}

/** 409 Conflict: a precondition (UID, resourceVersion) or another field manager stands against it. */
export class ConflictError extends ApiError {
  override name = "ConflictError";
}

/** 409 AlreadyExists: a create, or an apply that may only create, met an object. */
export class AlreadyExistsError extends ApiError {
  override name = "AlreadyExistsError";
}

/** 410: the resourceVersion of a watch or list is too old; list anew. */
export class GoneError extends ApiError {
  override name = "GoneError";
}

/** 401 or 403: not allowed. */
export class ForbiddenError extends ApiError {
  override name = "ForbiddenError";
}

/** 422 or 400: the object is not valid as it is. */
export class InvalidError extends ApiError {
  override name = "InvalidError";
}

/** 429, or 503 with `Retry-After`: later. */
export class TooManyRequestsError extends ApiError {
  override name = "TooManyRequestsError";
}

/** The server serves no resource of the asked type: its CRD is not there (yet). */
export class NoMatchError extends Error {
  override name = "NoMatchError";
}

/** The kubeconfig, or what it points to, cannot be used: says the file, the entry and what to write instead. */
export class KubeConfigError extends Error {
  override name = "KubeConfigError";
}
