import assert from "node:assert/strict";
import {
  ApiError,
  ConfigError,
  ForbiddenError,
  KubeConfigError,
  NoMatchError,
  RenderError,
} from "../engine/mod.ts";
import { exitCodeOf, wordsFor } from "./user_error.ts";

Deno.test("wrong use is 2, what a person can mend otherwise is 1, and a bug has no code", () => {
  assert.equal(exitCodeOf(new KubeConfigError("no such context")), 2);
  assert.equal(exitCodeOf(new ConfigError([{ file: "implementation.yaml", message: "x" }])), 2);
  assert.equal(exitCodeOf(new ApiError("Down", { code: 0 })), 1);
  assert.equal(exitCodeOf(new ForbiddenError("No", { code: 403 })), 1);
  assert.equal(exitCodeOf(new NoMatchError("x")), 1);
  assert.equal(exitCodeOf(new RenderError([{ kind: "yaml", message: "x" }])), 1);
  assert.equal(exitCodeOf(new TypeError("x is undefined")), undefined);
  assert.equal(exitCodeOf("text"), undefined);
});

Deno.test("an error is said on one line; problems of templates show the line and a caret", () => {
  assert.equal(wordsFor(new Error("a\nb")), "a; b");
  const problems = [
    {
      kind: "undefined",
      template: "core/a.yaml",
      line: 2,
      column: 4,
      message: "No",
      sourceLine: "b: [{ x }]",
    },
    { kind: "limit", message: "Too long" },
  ] as const;
  assert.equal(
    wordsFor(new RenderError(problems)),
    "core/a.yaml line 2, column 4: No\n  b: [{ x }]\n     ^\nToo long",
  );
});
