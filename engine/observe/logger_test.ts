import assert from "node:assert/strict";
import { lineLogger, type LogLevel, withFields } from "./logger.ts";

function recorded(format: "json" | "text", level: LogLevel = "info") {
  const lines: string[] = [];
  const now = () => new Date("2026-01-02T03:04:05.678Z");
  return { lines, log: lineLogger({ format, level, write: (line) => lines.push(line), now }) };
}

Deno.test("JSON lines hold time, level, message and fields, one object a line", () => {
  const { lines, log } = recorded("json");
  log.warn("Applied\nlate", { instance: "shop", durationMs: 12, absent: undefined, managers: ["a", "b"] });
  assert.equal(lines.length, 1);
  assert.deepEqual(JSON.parse(lines[0] ?? ""), {
    time: "2026-01-02T03:04:05.678Z",
    level: "warn",
    message: "Applied\nlate",
    instance: "shop",
    durationMs: 12,
    managers: ["a", "b"],
  });
  assert.ok(!lines[0]?.includes("\n"));
});

Deno.test("a field cannot pose as the level or the message", () => {
  const { lines, log } = recorded("json");
  log.info("True", { message: "false", level: "error" });
  assert.match(lines[0] ?? "", /"level":"info","message":"True"/);
});

Deno.test("text lines are for people: short time, padded level, quotes where they are needed", () => {
  const { lines, log } = recorded("text");
  log.info("Serves things", { instances: 3, source: "./a b", name: "x", empty: "", absent: undefined });
  assert.deepEqual(lines, ['03:04:05 INFO  Serves things instances=3 source="./a b" name=x empty=""']);
});

Deno.test("what comes from a cluster cannot steer the terminal or forge a line", () => {
  const { lines, log } = recorded("text");
  log.error("Refused: \u001b[2J\nINFO forged\u009b31m", { reason: "a\r\nb", word: "\u001b]0;x\u0007" });
  assert.equal(lines.length, 1);
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(lines[0] ?? "", /[\u0000-\u001f\u007f-\u009f]/);
  assert.match(lines[0] ?? "", /Refused: \\u001b\[2J\\nINFO forged\\u009b31m/);
});

Deno.test("lines below the level are not written", () => {
  const { lines, log } = recorded("text", "warn");
  log.debug("no");
  log.info("no");
  log.warn("yes");
  log.error("yes");
  assert.equal(lines.length, 2);
});

Deno.test("common fields are on every line, and a line's own win", () => {
  const { lines, log } = recorded("text");
  withFields(log, { kind: "Pod", where: "all" }).info("Listed", { where: "here" });
  assert.deepEqual(lines, ["03:04:05 INFO  Listed kind=Pod where=here"]);
});
