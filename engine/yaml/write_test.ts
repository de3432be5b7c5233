import assert from "node:assert/strict";
import { readDocuments } from "./document.ts";
import type { YamlValue } from "./value.ts";
import { writeYaml } from "./write.ts";

function roundTrip(value: YamlValue): YamlValue | undefined {
  return readDocuments(writeYaml(value))[0]?.value;
}

Deno.test("prints block style that people read", () => {
  const text = writeYaml({
    kind: "ConfigMap",
    data: { "a.conf": "x\ny\n", port: "80", no: "on" },
    list: [{ a: 1, b: [] }],
    gone: undefined,
  });
  assert.equal(
    text,
    "kind: ConfigMap\ndata:\n  a.conf: |\n    x\n    y\n  port: '80'\n  'no': 'on'\nlist:\n  - a: 1\n    b: []\n",
  );
});

Deno.test("every text comes back as the same text", () => {
  const rows: readonly (readonly [string, string | null])[] = JSON.parse(
    Deno.readTextFileSync(new URL("testdata/scalars.json", import.meta.url)),
  );
  const texts = rows.map(([text]) => text.slice("v: ".length, -1));
  texts.push(
    "",
    " x ",
    "x\n",
    "\n",
    "x\n\n",
    "a: b",
    "- x",
    "#x",
    "x #y",
    "'",
    '"',
    "\\",
    "*a",
    "&a",
    "!t",
    "\t",
    "é\u{1F600}",
    "\u0000\u0085",
    "x\r\ny",
  );
  for (const text of texts) {
    assert.deepEqual(roundTrip({ [`k${text}`]: text, v: text }), { [`k${text}`]: text, v: text });
  }
});

Deno.test("numbers, big integers, null and nesting come back", () => {
  const value = {
    a: 9007199254740993n,
    b: -1.5,
    c: 6.063e28,
    d: null,
    e: [[], {}, [[1]]],
    f: true,
    g: 1e-7,
    h: 0,
  };
  assert.deepEqual(roundTrip(value), value);
});
