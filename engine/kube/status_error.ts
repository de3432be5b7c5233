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
  NotServedError,
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

/** How the API server's sentence begins when a body does not fit the schema. */
const MISFIT = "failed to create typed patch object";

/** The error for a refused attempt. */
export function statusError(attempt: Attempt, refusal: Refusal): ApiError {
  const status = isJsonObject(refusal.body) ? refusal.body : {};
  const words = textOf(status.message) || (typeof refusal.body === "string" ? refusal.body.trim() : "");
  const misfits = schemaMisfits(words);
  const code = misfits.length > 0 ? 422 : typeof status.code === "number" ? status.code : refusal.code;
  const reason = textOf(status.reason);
  const causes = [...causesOf(status, attempt.secret), ...misfits];
  const retryAfterMs = retryAfterOf(refusal.retryAfter, status);
  const told = attempt.secret && mayQuoteValues(code, words)
    ? discreetWords(words, causes)
    : plainWords(words);
  const outcome = code >= 500 || code === 429 || code === 404 ? "failed" : "was refused";
  const message = `${attempt.verb} of ${attempt.subject} ${outcome}: ${
    told || reason || `HTTP status ${code}`
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
      // About an object there is a Status that gives the reason; the end of all paths answers with a plain text.
      return reason === "NotFound" ? NotFoundError : NotServedError;
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

/**
 * Server-side apply answers a body that does not fit the schema with status 500 and a sentence: it is the object that is not valid.
 * Which fields, and what was expected; the values that the sentence quotes are left out.
 */
function schemaMisfits(words: string): NonNullable<ApiErrorInit["causes"]> {
  if (!words.startsWith(MISFIT)) return [];
  const faults = [...words.matchAll(/(\.\S+): (expected [a-z]+|field not declared in schema)/g)];
  const causes = faults.map(([, field = "", message = ""]) => ({
    field,
    reason: "FieldValueTypeInvalid",
    message,
  }));
  return causes.length > 0 ? causes : [{ reason: "FieldValueTypeInvalid" }];
}

/** Which answers about a Secret may hold its values: validation, decoding, admission; not those about being there or allowed. */
function mayQuoteValues(code: number, words: string): boolean {
  if (code === 403) return !/ is forbidden: User "[^"]*" cannot /.test(words);
  return ![401, 404, 409, 410, 429, 503].includes(code);
}

function plainWords(words: string): string {
  const readable = words
    .replace(/^failed to create typed patch object \(.*?\): /, "")
    .replace(/&value\.valueUnstructured\{Value:(.*?)\}/g, "$1")
    .replace(/\s*\n\s*/g, " ");
  return readable.length <= MAX_WORDS ? readable : `${readable.slice(0, MAX_WORDS)}...`;
}

function discreetWords(words: string, causes: NonNullable<ApiErrorInit["causes"]>): string {
  const base64 = words.includes("illegal base64 data") ? ["a value of data is no base64"] : [];
  const fields = causes.map(({ field, reason }) => [field, reason].filter(Boolean).join(": ")).filter(
    Boolean,
  );
  const what = [...base64, ...fields].join(", ");
  return `${
    what === "" ? "" : `${what}; `
  }the API server's words may quote values of the Secret and are left out`;
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
