import assert from "node:assert/strict";
import {
  AlreadyExistsError,
  ApiError,
  ConflictError,
  ForbiddenError,
  GoneError,
  InvalidError,
  NotFoundError,
  NotServedError,
  TooManyRequestsError,
} from "./errors.ts";
import { type Refusal, statusError } from "./status_error.ts";

const APPLY = { verb: "Apply", subject: "Deployment.apps shop/web", secret: false };
const SECRET = { verb: "Apply", subject: "Secret shop/key", secret: true };

function status(code: number, fields: object = {}, retryAfter?: string): Refusal {
  return { code, body: { kind: "Status", code, ...fields }, retryAfter };
}

Deno.test("one class for each decision", () => {
  const expected = [
    [status(404, { reason: "NotFound" }), NotFoundError],
    [{ code: 404, body: "404 page not found\n" }, NotServedError],
    [status(409, { reason: "Conflict" }), ConflictError],
    [status(409, { reason: "AlreadyExists" }), AlreadyExistsError],
    [status(410, { reason: "Expired" }), GoneError],
    [status(400, { reason: "BadRequest" }), InvalidError],
    [status(422, { reason: "Invalid" }), InvalidError],
    [status(401), ForbiddenError],
    [status(403), ForbiddenError],
    [status(429), TooManyRequestsError],
    [status(503, {}, "1"), TooManyRequestsError],
    [status(503), ApiError],
    [status(500), ApiError],
  ] as const;
  for (const [refusal, kind] of expected) {
    assert.equal(statusError(APPLY, refusal).constructor, kind, JSON.stringify(refusal));
  }
});

Deno.test("the message says verb, object and the server's words", () => {
  const error = statusError(
    APPLY,
    status(422, { reason: "Invalid", message: "spec.selector: field is immutable" }),
  );
  const words = "Apply of Deployment.apps shop/web was refused: spec.selector: field is immutable";
  assert.deepEqual([error.message, error.code, error.reason], [words, 422, "Invalid"]);
  assert.equal(
    statusError(APPLY, { code: 404, body: "404 page not found\n" }).message,
    "Apply of Deployment.apps shop/web failed: 404 page not found",
  );
  assert.equal(
    statusError(APPLY, { code: 502, body: "" }).message,
    "Apply of Deployment.apps shop/web failed: HTTP status 502",
  );
  assert.ok(statusError(APPLY, status(400, { message: "x".repeat(5000) })).message.length < 1100);
});

Deno.test("how long to wait comes from the header or from the body", () => {
  assert.equal(statusError(APPLY, status(429, {}, "7")).retryAfterMs, 7000);
  assert.equal(statusError(APPLY, status(429, { details: { retryAfterSeconds: 3 } })).retryAfterMs, 3000);
  assert.equal(statusError(APPLY, status(429)).retryAfterMs, undefined);
});

Deno.test("causes are kept", () => {
  const causes = [{ field: "spec.a", reason: "FieldValueInvalid", message: "too long" }, { reason: "Other" }];
  assert.deepEqual(statusError(APPLY, status(422, { details: { causes } })).causes, causes);
});

Deno.test("a body that does not fit the schema is not valid, though the server says 500", () => {
  const message = "failed to create typed patch object (shop/web; apps/v1, Kind=Deployment): errors:\n" +
    "  .spec.replicas: expected numeric (int or float), got &value.valueUnstructured{Value:true}\n" +
    '  .spec.template.containers[name="web"].imag: field not declared in schema';
  const error = statusError(APPLY, status(500, { message }));
  assert.ok(error instanceof InvalidError);
  assert.deepEqual(error.causes, [
    { field: ".spec.replicas", reason: "FieldValueTypeInvalid", message: "expected numeric" },
    {
      field: '.spec.template.containers[name="web"].imag',
      reason: "FieldValueTypeInvalid",
      message: "field not declared in schema",
    },
  ]);
  assert.match(
    error.message,
    /was refused: errors: \.spec\.replicas: expected numeric \(int or float\), got true/,
  );
});

Deno.test("no value of a Secret is repeated", () => {
  const causes = [{ field: "data[a]", reason: "FieldValueInvalid", message: 'Invalid value: "hunter2"' }];
  const refusals = [
    status(422, { reason: "Invalid", message: 'data[a]: Invalid value: "hunter2"', details: { causes } }),
    status(400, { reason: "BadRequest", message: 'json: cannot unmarshal "hunter2" into Go struct' }),
    status(403, {
      reason: "Forbidden",
      message: 'admission webhook "x" denied the request: hunter2 is weak',
    }),
    status(500, {
      message:
        "failed to create typed patch object (shop/key; /v1, Kind=Secret): .stringData.a: expected string, " +
        "got &value.valueUnstructured{Value:hunter2}",
    }),
    { code: 500, body: "hunter2" },
  ];
  for (const refusal of refusals) {
    const error = statusError(SECRET, refusal);
    assert.ok(!Deno.inspect(error, { depth: 10 }).includes("hunter2"), error.message);
  }
  const error = statusError(SECRET, status(422, { message: "hunter2", details: { causes } }));
  assert.match(error.message, /^Apply of Secret shop\/key was refused: data\[a\]: FieldValueInvalid; /);
  const forbidden = 'secrets "key" is forbidden: User "system:anonymous" cannot patch resource "secrets"';
  assert.ok(statusError(SECRET, status(403, { message: forbidden })).message.endsWith(forbidden));
});
