import { assertPrints } from "../values/testing.ts";

Deno.test("what is long is written over several lines, dicts sorted", () => {
  assertPrints([
    ["{'b':1,'a':[1,2]}|pprint", "{'a': [1, 2], 'b': 1}"],
    [
      "v|pprint",
      "{'spec': {'ports': [{'name': 'http', 'port': 80, 'protocol': 'TCP'},\n                    {'name': 'https', 'port': 443, 'protocol': 'TCP'}],\n          'selector': {'app': 'web'}}}",
    ],
    [
      "('word '*30)|pprint",
      "('word word word word word word word word word word word word word word word '\n 'word word word word word word word word word word word word word word word ')",
    ],
    [
      "[['x'*50],['y'*50]]|pprint",
      "[['xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'],\n ['yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy']]",
    ],
    [
      "{'k':'long text '*12}|pprint",
      "{'k': 'long text long text long text long text long text long text long text '\n      'long text long text long text long text long text '}",
    ],
    [
      "('x'*90,)|pprint",
      "('xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',)",
    ],
    ["{1:'a','b':2}|pprint", "{1: 'a', 'b': 2}"],
    ["('a\\n'*3)|pprint", "'a\\na\\na\\n'"],
  ], {
    context: {
      "v": {
        "spec": {
          "ports": [{ "name": "http", "port": 80, "protocol": "TCP" }, {
            "name": "https",
            "port": 443,
            "protocol": "TCP",
          }],
          "selector": { "app": "web" },
        },
      },
    },
  });
});
