/**
 * From an answer that is not a success to the error that callers decide by: status code, `Status` body and `Retry-After` in, one
 * class per decision out.
 *
 * The message says verb, object and the server's own words, except for Secrets: validation and admission messages may quote values.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../meta/mod.ts";
import {
  AlreadyExistsError,
  ApiError,
  type ApiErrorInit,
  ConflictError,
  ForbiddenError,
  GoneError,
  InvalidError,
  NotFoundError,
  TooManyRequestsError,
} from "./errors.ts";

/** What a request was about, for messages. */
export interface Attempt {
  /** `Apply`, `Delete`, `List`, ... */
  readonly verb: string;
  /** `Deployment.apps shop/web`, `Pod in all namespaces`. */
  readonly subject: string;
  /** True for Secrets: the server's words may quote values, so they are not repeated. */
  readonly secret: boolean;
}

/** The parts of an answer that say what went wrong. */
export interface Refusal {
  readonly code: number;
  /** The body: a `Status`, or any text. */
  readonly body: unknown;
  /** The header `Retry-After`. */
  readonly retryAfter?: string | undefined;
}

/** Longest text of the server that is repeated, in characters: some quote whole objects. */
const MAX_WORDS = 1000;

/** The error for a refused attempt. */
export function statusError(attempt: Attempt, refusal: Refusal): ApiError {
  const status = isJsonObject(refusal.body) ? refusal.body : {};
  const code = typeof status.code === "number" ? status.code : refusal.code;
  const reason = textOf(status.reason);
  const causes = causesOf(status, attempt.secret);
  const retryAfterMs = retryAfterOf(refusal.retryAfter, status);
  const words = mayQuoteValues(attempt, code, status)
    ? discreetWords(causes)
    : plainWords(refusal.body, status);
  const outcome = code >= 500 || code === 429 ? "failed" : "was refused";
  const message = `${attempt.verb} of ${attempt.subject} ${outcome}: ${
    words || reason || `HTTP status ${code}`
  }`;
  const init: ApiErrorInit = {
    code,
    reason,
    causes,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
  return new (classOf(code, reason, retryAfterMs))(message, init);
}

function classOf(code: number, reason: string, retryAfterMs: number | undefined): typeof ApiError {
  if (code === 410 || reason === "Expired" || reason === "Gone") return GoneError;
  switch (code) {
    case 400:
    case 422:
      return InvalidError;
    case 401:
    case 403:
      return ForbiddenError;
    case 404:
      return NotFoundError;
    case 409:
      return reason === "AlreadyExists" ? AlreadyExistsError : ConflictError;
    case 429:
      return TooManyRequestsError;
    case 503:
      return retryAfterMs === undefined ? ApiError : TooManyRequestsError;
    default:
      return ApiError;
  }
}

/** Which answers about a Secret may hold its values: validation, decoding, admission; not those about being there or allowed. */
function mayQuoteValues(attempt: Attempt, code: number, status: JsonObject): boolean {
  if (!attempt.secret) return false;
  if (code === 403) return !/^secrets?( "[^"]*")? is forbidden: User /.test(textOf(status.message));
  return ![401, 404, 409, 410, 429, 503].includes(code);
}

function plainWords(body: unknown, status: JsonObject): string {
  const words = textOf(status.message) || (typeof body === "string" ? body.trim() : "");
  return words.length <= MAX_WORDS ? words : `${words.slice(0, MAX_WORDS)}...`;
}

function discreetWords(causes: NonNullable<ApiErrorInit["causes"]>): string {
  const fields = causes.map(({ field, reason }) => [field, reason].filter(Boolean).join(": ")).filter(
    Boolean,
  );
  const where = fields.length === 0 ? "" : ` (${fields.join(", ")})`;
  return `the API server's words are left out, they may quote values of the Secret${where}`;
}

function causesOf(status: JsonObject, secret: boolean): NonNullable<ApiErrorInit["causes"]> {
  const details = isJsonObject(status.details) ? status.details : {};
  const causes: readonly JsonValue[] = Array.isArray(details.causes) ? details.causes : [];
  return causes.filter(isJsonObject).map((cause) => ({
    ...(typeof cause.field === "string" ? { field: cause.field } : {}),
    ...(typeof cause.reason === "string" ? { reason: cause.reason } : {}),
    ...(typeof cause.message === "string" && !secret ? { message: cause.message } : {}),
  }));
}

/** Whole seconds in the header (Kubernetes sends no dates), else seconds in `details.retryAfterSeconds`. In milliseconds. */
function retryAfterOf(header: string | undefined, status: JsonObject): number | undefined {
  if (header !== undefined && /^\d+$/.test(header)) return Number(header) * 1000;
  const details = isJsonObject(status.details) ? status.details : {};
  const seconds = details.retryAfterSeconds;
  return typeof seconds === "number" && seconds > 0 ? seconds * 1000 : undefined;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
