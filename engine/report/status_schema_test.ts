import assert from "node:assert/strict";
import type { KubeObject } from "../meta/mod.ts";
import { hasConditionMap, keepsConditions, keptBySchema, statusSchemaOf } from "./status_schema.ts";

function crd(schema: Record<string, unknown>): KubeObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: { versions: [{ name: "v1", schema: { openAPIV3Schema: schema } }] },
  };
}

const STATUS = {
  revision: 1,
  counts: { applied: 2, extra: 1 },
  free: { any: [1] },
  list: [{ a: 1, b: 2 }],
  unknown: true,
};

Deno.test("what the schema does not know is dropped, as the API server drops it", () => {
  const schema = statusSchemaOf(
    crd({
      type: "object",
      properties: {
        status: {
          type: "object",
          properties: {
            revision: { type: "integer" },
            counts: { type: "object", properties: { applied: { type: "integer" } } },
            free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
            list: { type: "array", items: { type: "object", properties: { a: {} } } },
          },
        },
      },
    }),
    "v1",
  );
  assert.deepEqual(keptBySchema(STATUS, schema), {
    revision: 1,
    counts: { applied: 2 },
    free: { any: [1] },
    list: [{ a: 1 }],
  });
});

Deno.test("no status in the schema: nothing is kept; preserved unknown fields: all is; no CRD known: all is", () => {
  assert.deepEqual(keptBySchema(STATUS, statusSchemaOf(crd({ type: "object", properties: {} }), "v1")), {});
  const open = crd({ type: "object", "x-kubernetes-preserve-unknown-fields": true });
  assert.deepEqual(keptBySchema(STATUS, statusSchemaOf(open, "v1")), STATUS);
  assert.deepEqual(keptBySchema(STATUS, statusSchemaOf(undefined, "v1")), STATUS);
});

Deno.test("maps with any keys keep them", () => {
  const schema = { type: "object", additionalProperties: { type: "object", properties: { a: {} } } };
  assert.deepEqual(keptBySchema({ x: { a: 1, b: 2 } }, schema), { x: { a: 1 } });
});

Deno.test("conditions as a list by type are told from a plain list", () => {
  const map = { properties: { conditions: { type: "array", "x-kubernetes-list-type": "map" } } };
  assert.equal(hasConditionMap(map), true);
  assert.equal(hasConditionMap({ properties: { conditions: { type: "array" } } }), false);
  assert.equal(hasConditionMap(undefined), false);
});

Deno.test("whether a status can hold conditions at all", () => {
  assert.equal(keepsConditions(undefined), true, "not known: believed");
  assert.equal(keepsConditions({ "x-kubernetes-preserve-unknown-fields": true }), true);
  assert.equal(keepsConditions({ properties: { conditions: { type: "array" } } }), true);
  assert.equal(keepsConditions({ properties: { phase: { type: "string" } } }), false);
  assert.equal(keepsConditions({}), false, "the schema knows no status");
});
