import assert from "node:assert/strict";
import { itemSpans, memberSpans } from "./json_spans.ts";

function members(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...memberSpans(text)].map(([key, span]) => [key, text.slice(...span)]));
}

Deno.test("values of an object are cut as they stand", () => {
  const text = ' { "a" : 1 , "b":"x\\"}" , "c": {"d":[{}, "]"]},"e":[ ],"f":null, "g\\n":-1.5e3}';
  assert.deepEqual(members(text), {
    a: "1",
    b: '"x\\"}"',
    c: '{"d":[{}, "]"]}',
    e: "[ ]",
    f: "null",
    "g\n": "-1.5e3",
  });
  assert.deepEqual(members("{}"), {});
});

Deno.test("a text may end in backslashes", () => {
  assert.deepEqual(members('{"a":"\\\\","b":"\\\\\\"","c":1}'), { a: '"\\\\"', b: '"\\\\\\""', c: "1" });
});

Deno.test("items of a list are cut as they stand", () => {
  const text = '{"items":[ {"a":[1,2]} ,"x,y",[3], 4 ,true]}';
  const at = memberSpans(text).get("items")?.[0];
  const items = itemSpans(text, at).map((span) => text.slice(...span));
  assert.deepEqual(items, ['{"a":[1,2]}', '"x,y"', "[3]", "4", "true"]);
  assert.deepEqual(itemSpans("[]"), []);
  assert.deepEqual(itemSpans("[ ]"), []);
});

Deno.test("cut values parse to what the whole parses to", () => {
  const value = {
    items: [{ "10": "é\u2028", "9": ["\\", '"', "{[", "]}"], deep: { a: { b: [[[]]] } } }, {}],
  };
  for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
    const at = memberSpans(text).get("items")?.[0];
    const items: unknown[] = itemSpans(text, at).map((span) => JSON.parse(text.slice(...span)));
    assert.deepEqual(items, value.items);
  }
});

Deno.test("an empty list may be null, as an API server writes a list of metadata without items", () => {
  const text = '{"items":null,"metadata":{}}';
  assert.deepEqual(itemSpans(text, memberSpans(text).get("items")?.[0]), []);
});
