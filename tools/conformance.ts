/**
 * `deno task conformance [FILE.jsonl ...] [--group G] [--id ID] [--diff]`: runs conformance cases of the template
 * language and tells what differs from Jinja2, by group; the last line is `N passed, N failed`. `--diff` shows what was
 * expected and what came out. Known differences count as failed here; the test keeps the list of them.
 */
import { judge, readCases, type Verdict } from "../tests/conformance/jinja_cases.ts";

const DEFAULT_FILE = new URL("../tests/conformance/jinja/cases.jsonl", import.meta.url);
const USAGE = "Usage: deno task conformance [FILE.jsonl ...] [--group G] [--id ID] [--diff]";

interface Selection {
  readonly files: readonly (string | URL)[];
  readonly group: string | undefined;
  readonly id: string | undefined;
  readonly diff: boolean;
}

function parseArguments(args: readonly string[]): Selection | undefined {
  const files: string[] = [];
  let group: string | undefined;
  let id: string | undefined;
  let diff = false;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    if (arg === "--diff") diff = true;
    else if (arg === "--group" && args[i + 1] !== undefined) group = args[++i];
    else if (arg === "--id" && args[i + 1] !== undefined) id = args[++i];
    else if (arg.startsWith("-")) return undefined;
    else files.push(arg);
  }
  return { files: files.length === 0 ? [DEFAULT_FILE] : files, group, id, diff };
}

function describe(verdict: Verdict): string {
  const { case: { template, expected, error, line, accept }, outcome } = verdict;
  const wanted = expected !== undefined
    ? JSON.stringify(expected)
    : error !== undefined
    ? `error of kind ${error}${line === undefined ? "" : ` at line ${line}`}`
    : `error, or one of ${JSON.stringify(accept ?? [])}`;
  const got = "text" in outcome ? JSON.stringify(outcome.text) : `${outcome.kind} error: ${outcome.error}`;
  return `    template ${JSON.stringify(template)}\n    expected ${wanted}\n    got      ${got}`;
}

function report(verdicts: readonly Verdict[], selection: Selection): void {
  const groups = Map.groupBy(verdicts, (verdict) => verdict.case.group);
  for (const [group, members] of groups) {
    const failed = members.filter(({ passed }) => !passed);
    const inexact = members.filter((v) => v.passed && (v.kindMatches === false || v.lineMatches === false));
    if (failed.length > 0) console.log(`${group}: ${failed.length} of ${members.length} failed`);
    for (const verdict of failed) {
      console.log(`  ${verdict.case.id}`);
      if (selection.diff) console.log(describe(verdict));
    }
    if (!selection.diff) continue;
    for (const verdict of inexact) {
      console.log(`  ${verdict.case.id} fails as it must, but with another kind or line`);
      console.log(describe(verdict));
    }
  }
}

function summarise(verdicts: readonly Verdict[]): void {
  const kinds = verdicts.filter(({ kindMatches }) => kindMatches !== undefined);
  const lines = verdicts.filter(({ lineMatches }) => lineMatches !== undefined);
  const slowest = Math.max(0, ...verdicts.map(({ milliseconds }) => milliseconds));
  console.log(`Errors of the right kind: ${kinds.filter((v) => v.kindMatches).length} of ${kinds.length}`);
  console.log(`Errors at the right line: ${lines.filter((v) => v.lineMatches).length} of ${lines.length}`);
  console.log(`Escapes from the sandbox: ${verdicts.filter(({ escaped }) => escaped).length}`);
  console.log(`Slowest case: ${slowest.toFixed(1)} ms`);
  const passed = verdicts.filter((verdict) => verdict.passed).length;
  console.log(`${passed} passed, ${verdicts.length - passed} failed`);
}

async function main(args: readonly string[]): Promise<number> {
  const selection = parseArguments(args);
  if (selection === undefined) {
    console.error(USAGE);
    return 2;
  }
  const read = await Promise.allSettled(selection.files.map(readCases));
  for (const result of read) if (result.status === "rejected") console.error(String(result.reason));
  const cases = read.flatMap((result) => result.status === "fulfilled" ? result.value : []);
  if (read.some(({ status }) => status === "rejected")) return 2;
  const selected = cases.filter(({ group, id }) =>
    (selection.group === undefined || group === selection.group) &&
    (selection.id === undefined || id === selection.id)
  );
  if (selected.length === 0) {
    console.error("No case selected");
    return 2;
  }
  const verdicts = selected.map(judge);
  report(verdicts, selection);
  summarise(verdicts);
  return verdicts.every(({ passed }) => passed) ? 0 : 1;
}

Deno.exitCode = await main(Deno.args);
