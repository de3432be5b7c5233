/**
 * Every conformance case of the template language, as tests by group: those that were given (`cases.jsonl`) and our own
 * (`own_cases.jsonl`, expectations made by `expect.py`). What is known to differ from Jinja2 is listed in
 * `known_differences.json` (id -> reason); a listed case that passes fails the test, so the list can only shrink. No
 * case may take longer than a second or leave a trace in the objects of JavaScript.
 */
import assert from "node:assert/strict";
import { judge, readCases, type Verdict } from "./jinja_cases.ts";
import KNOWN_DIFFERENCES from "./known_differences.json" with { type: "json" };

const KNOWN: ReadonlyMap<string, string> = new Map(Object.entries(KNOWN_DIFFERENCES));
const BUILT_INS: readonly object[] = [
  Object.prototype,
  Array.prototype,
  String.prototype,
  Number.prototype,
  Function.prototype,
  Map.prototype,
];

const FILES: readonly string[] = ["./jinja/cases.jsonl", "./jinja/own_cases.jsonl"];

const cases = (await Promise.all(FILES.map((file) => readCases(new URL(file, import.meta.url))))).flat();

Deno.test("Jinja2 conformance", async (t) => {
  const before = BUILT_INS.map((object) => Reflect.ownKeys(object));
  for (const [group, members] of Map.groupBy(cases, (testCase) => testCase.group)) {
    await t.step(group, () => {
      const problems = members.map(judge).flatMap(problemsOf);
      assert.deepEqual(problems, []);
    });
  }
  assert.deepEqual(BUILT_INS.map((object) => Reflect.ownKeys(object)), before);
});

Deno.test("known differences are cases that exist", () => {
  const ids = new Set(cases.map(({ id }) => id));
  assert.deepEqual([...KNOWN.keys()].filter((id) => !ids.has(id)), []);
});

function problemsOf(verdict: Verdict): string[] {
  const { case: { id }, passed, escaped, kindMatches, lineMatches, milliseconds } = verdict;
  const problems: string[] = [];
  if (escaped) problems.push(`${id} escapes from the sandbox`);
  if (milliseconds > 1000) problems.push(`${id} takes ${milliseconds.toFixed(0)} ms`);
  const right = passed && kindMatches !== false && lineMatches !== false;
  if (KNOWN.has(id) && right) problems.push(`${id} is right: take it from known_differences.json`);
  if (!KNOWN.has(id) && !right) problems.push(`${id} differs: ${JSON.stringify(verdict.outcome)}`);
  return problems;
}
