/**
 * Holds the reader to what the real one answered (testdata/README.md): every scalar and key, and every structure but the
 * listed ones. A difference that is no difference any more fails as well, so that the list can only shrink.
 */
import assert from "node:assert/strict";
import { readDocuments } from "./document.ts";
import { YamlError, type YamlValue } from "./value.ts";

type Row = readonly [text: string, json: string | null];

function load<T>(name: string): T {
  return JSON.parse(Deno.readTextFileSync(new URL(`testdata/${name}`, import.meta.url)));
}

function read(text: string): readonly YamlValue[] | null {
  try {
    return readDocuments(text).map((document) => document.value);
  } catch (cause) {
    if (cause instanceof YamlError) return null;
    throw cause;
  }
}

/** Integers beyond 2^53 exactly, unless the real reader had them as floats, which it prints as integers up to 1e21. */
function expected(json: string | null): readonly YamlValue[] | null {
  return json === null ? null : JSON.parse(json, reviveInteger);
}

function reviveInteger(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source ?? "";
  return typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
    ? BigInt(source)
    : value;
}

function same(mine: unknown, theirs: unknown): boolean {
  if (typeof mine === "number" && typeof theirs === "bigint") return mine === Number(theirs);
  if (Array.isArray(mine) && Array.isArray(theirs)) {
    return mine.length === theirs.length && mine.every((item, at) => same(item, theirs[at]));
  }
  if (typeof mine === "object" && mine !== null && typeof theirs === "object" && theirs !== null) {
    const keys = Object.keys(mine).sort();
    return keys.join("\0") === Object.keys(theirs).sort().join("\0") &&
      keys.every((key) => same(Reflect.get(mine, key), Reflect.get(theirs, key)));
  }
  return mine === theirs;
}

for (const file of ["scalars.json", "keys.json"]) {
  Deno.test(`reads every text of ${file} as the real reader does`, () => {
    for (const [text, json] of load<readonly Row[]>(file)) {
      const mine = read(text);
      assert.ok(
        same(mine, expected(json)),
        `${JSON.stringify(text)}: real ${json}, here ${Deno.inspect(mine)}`,
      );
    }
  });
}

Deno.test("reads every structure as the real reader does, but for the listed ones", () => {
  const reasons = new Map(load<readonly (readonly [string, string])[]>("differences.json"));
  for (const [text, json] of load<readonly Row[]>("documents.json")) {
    const mine = read(text);
    const message = `${JSON.stringify(text)}: real ${json}, here ${Deno.inspect(mine)}`;
    assert.equal(same(mine, expected(json)), !reasons.has(text), message);
  }
});
