import assert from "node:assert/strict";
import { readDocuments } from "./document.ts";
import { YamlError, type YamlValue } from "./value.ts";

const CASES = new URL("../../tests/testdata/cases/", import.meta.url);

function values(text: string): readonly YamlValue[] {
  return readDocuments(text).map((document) => document.value);
}

function refusal(text: string): YamlError {
  try {
    readDocuments(text);
  } catch (cause) {
    if (cause instanceof YamlError) return cause;
    throw cause;
  }
  throw new assert.AssertionError({ message: `${JSON.stringify(text)} was not refused` });
}

Deno.test("the table of kubectl: words, octal, numbers, time stamps", () => {
  const [value] = values(
    "a: [yes, No, on, OFF, y, N, yEs]\nb: [0644, 0o644, 0x1F, 1_000, 012, 089, 1e3, 6063e25]\n" +
      "c: [2024-01-01, 2030-03-25T13:37:11Z, 12:30:45, 22:22]\nd: [~, null, ]\ne:\n1.10: x\nno: y\n",
  );
  assert.deepEqual(value, {
    a: [true, false, true, false, true, false, "yEs"],
    b: [420, 420, 31, 1000, 10, 89, 1000, 6.063e28],
    c: ["2024-01-01", "2030-03-25T13:37:11Z", "12:30:45", "22:22"],
    d: [null, null],
    e: null,
    "1.1": "x",
    false: true,
  });
});

Deno.test("integers beyond 2^53 stay exact, in value and JSON text", () => {
  const [document] = readDocuments(
    "a: 9007199254740993\nb: -123456789012345678901234567890\nc: 9007199254740991\n",
  );
  assert.deepEqual(document?.value, {
    a: 9007199254740993n,
    b: -123456789012345678901234567890n,
    c: 9007199254740991,
  });
  assert.equal(
    document?.jsonText(),
    '{"a":9007199254740993,"b":-123456789012345678901234567890,"c":9007199254740991}',
  );
});

Deno.test("JSON text keeps the order of keys that data cannot keep", () => {
  const [document] = readDocuments('b: 1\n10: x\n2: "q\\n"\n__proto__: {}\n');
  assert.equal(document?.jsonText(), '{"b":1,"10":"x","2":"q\\n","__proto__":{}}');
});

Deno.test("__proto__ and constructor are own data and change nothing else", () => {
  const [value] = values("__proto__: {polluted: 1}\nconstructor: {prototype: {polluted: 1}}\n");
  assert.deepEqual(Object.keys(Object(value)), ["__proto__", "constructor"]);
  assert.equal(Reflect.get({}, "polluted"), undefined);
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
});

Deno.test("merge keys: own keys win wherever they stand, earlier mappings win over later ones", () => {
  const [value] = values(
    "base: &b {x: 1, w: 2}\nmore: &m {w: 3, z: 4}\nafter:\n  <<: *b\n  x: 9\nbefore:\n  x: 9\n  <<: [*b, *m]\nplain: {'<<': 5}\n",
  );
  assert.deepEqual(value, {
    base: { x: 1, w: 2 },
    more: { w: 3, z: 4 },
    after: { x: 9, w: 2 },
    before: { x: 9, w: 2, z: 4 },
    plain: { "<<": 5 },
  });
});

Deno.test("documents: separators, comments, BOM, CRLF, block text", () => {
  const text =
    "\uFEFF---\r\n# only\r\n---\r\na: |\r\n  ---\r\n  x\r\n--- # next\r\n~\r\n---\r\n\r\nb: 1\r\n---\r\n";
  const documents = readDocuments(text);
  assert.deepEqual(documents.map(({ value, line }) => [value, line]), [[{ a: "---\nx\n" }, 4], [
    { b: 1 },
    11,
  ]]);
});

Deno.test("lines inside brackets, braces and quotes may stand as far left as they like", () => {
  const [document] = readDocuments(
    'spec:\n  args: [\n"a",\n"b"\n]\n  map: {\n  x: 1,\n\tw: 2\n  }\n  text: "one\ntwo"\nend: true\n',
  );
  assert.deepEqual(document?.value, {
    spec: { args: ["a", "b"], map: { x: 1, w: 2 }, text: "one two" },
    end: true,
  });
  assert.equal(document?.lineOf(["end"]), 12);
  const { line, column } = refusal("a: [\n1\n]\nb: *none\n");
  assert.deepEqual([line, column], [4, 4]);
});

Deno.test("lineOf finds keys and items, and nothing else", () => {
  const [, document] = readDocuments("x: 1\n---\na:\n  b:\n  - c: 1\n    d: &k {e: 2}\n  - *k\n0x10: y\n");
  const lines = [["a"], ["a", "b", 0, "d"], ["a", "b", 0, "d", "e"], ["a", "b", 1], ["16"]].map((path) =>
    document?.lineOf(path)
  );
  assert.deepEqual(lines, [3, 6, 6, 7, 8]);
  assert.deepEqual([["q"], ["a", "b", 2], ["a", "b", 1, "e"]].map((path) => document?.lineOf(path)), [
    undefined,
    undefined,
    undefined,
  ]);
});

Deno.test("errors name line, column, and what to write instead", () => {
  const table: readonly [text: string, line: number, column: number, words: RegExp][] = [
    ["a: 1\n---\nb:\n  t: one\n  t: two\n", 5, 3, /key `t` is there twice/],
    ["a: .inf\n", 1, 4, /no number `.inf`.*quotes/],
    ["a:\n  - -.NaN\n  - .nan\n", 3, 5, /no number `.nan`/],
    ["a:\n\t- b\n", 2, 1, /[Tt]ab characters.*blanks/],
    ["x: 1\nhost: *.example.org\n", 2, 7, /No anchor `&.example.org`.*quotes/],
    ["a: &a [*a]\n", 1, 8, /contains itself/],
    ["a: 1\n--- b\n", 2, 1, /separates documents/],
    ["a: 1\n...\nb: 2\n", 2, 1, /After `...`/],
    ["~: 1\n", 1, 1, /key is empty or null/],
    ["? [a]\n: b\n", 1, 4, /key has to be a text/],
    ["<<: [1]\n", 1, 6, /merges a mapping/],
    ["a: !!int x\n", 1, 4, /`x` is no `!!int`/],
    ["a: !!binary '?'\n", 1, 4, /no base64/],
    ["a: 1\n  b: 2\n", 2, 4, /indentation/],
    ["a: {b: 1\n", 2, 1, /flow collection/],
  ];
  for (const [text, line, column, words] of table) {
    const error = refusal(text);
    assert.deepEqual([error.line, error.column], [line, column], `${JSON.stringify(text)}: ${error.message}`);
    assert.match(error.message, words);
  }
});

Deno.test("aliases cannot unfold into more than a document may hold", () => {
  const levels = Array.from(
    { length: 12 },
    (_, at) => `l${at + 1}: &l${at + 1} [${Array(10).fill(`*l${at}`).join(", ")}]`,
  );
  assert.match(refusal(`l0: &l0 lol\n${levels.join("\n")}\n`).message, /Aliases unfold/);
  const long = `a: &a "${"x".repeat(100_000)}"\nb: [${Array(100).fill("*a").join(", ")}]\n`;
  assert.match(refusal(long).message, /Aliases unfold/);
  assert.equal(readDocuments(`a: &a {k: v}\nb: [${Array(1000).fill("*a").join(", ")}]\n`).length, 1);
});

Deno.test("nesting is limited, and deep enough", () => {
  assert.equal(readDocuments("[".repeat(500) + "]".repeat(500)).length, 1);
  assert.match(refusal("[".repeat(5000)).message, /Nesting/);
});

/** The rendered texts of cases whose template has no statement: their values are put in by hand. */
const RENDERED: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>> = {
  "yaml-bare-no-reads-as-false": [["[{ spec.country }]", "no"]],
  "yaml-octal-file-mode": [["[{ spec.mode }]", "0755"]],
  "yaml-commit-id-that-reads-as-a-number": [["[{ spec.commit }]", "6063e25"], [
    "[{ spec.commit | tojson }]",
    '"6063e25"',
  ]],
  "yaml-separator-inside-block-text": [["[{ spec.title }]", "hello"]],
  "yaml-empty-and-comment-documents": [[
    "[% if spec.enabled %]\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: never\n  namespace: demo\n[% endif %]",
    "",
  ]],
  "yaml-timestamps-stay-text": [["[{ spec.day }]", "2024-01-01"]],
  "yaml-labels-block-left-empty": [[
    '[% for k, v in spec.labels.items() %]\n    [{ k }]: "[{ v }]"\n[% endfor %]',
    "",
  ]],
};

for (const [id, replacements] of Object.entries(RENDERED)) {
  Deno.test(`case ${id}`, () => {
    let text = Deno.readTextFileSync(new URL(`${id}/template.yaml.njk`, CASES));
    for (const [from, to] of replacements) {
      assert.ok(text.includes(from));
      text = text.replaceAll(from, to);
    }
    assert.deepEqual(values(text), values(Deno.readTextFileSync(new URL(`${id}/expected.yaml`, CASES))));
  });
}

Deno.test("cases that have to fail name the line", () => {
  const read = (id: string) => Deno.readTextFileSync(new URL(`${id}/template.yaml.njk`, CASES));
  const twice = refusal(read("yaml-duplicate-key"));
  assert.equal(twice.line, 10);
  assert.match(twice.message, /`track`/);
  assert.equal(
    refusal(read("yaml-wildcard-host-unquoted").replace("[{ spec.host }]", "*.example.org")).line,
    8,
  );
});
