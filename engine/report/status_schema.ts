/**
 * What of a status a CRD will keep. The API server silently drops the fields that a schema does not know; a status that was written with
 * them would never equal what is stored, and would be written for ever. So they are dropped before comparing. Pure.
 */
import { isJsonObject, type JsonObject, type KubeObject } from "../meta/mod.ts";

/** The schema of `.status` for one version of a CRD; undefined when the CRD says nothing (or is not known): all is kept. */
export function statusSchemaOf(crd: KubeObject | undefined, version: string): JsonObject | undefined {
  if (crd === undefined || !isJsonObject(crd.spec) || !Array.isArray(crd.spec.versions)) return undefined;
  const served = crd.spec.versions.find((one): one is JsonObject =>
    isJsonObject(one) && one.name === version
  );
  const root = isJsonObject(served?.schema) ? served.schema.openAPIV3Schema : undefined;
  if (!isJsonObject(root)) return undefined;
  if (root["x-kubernetes-preserve-unknown-fields"] === true && !isJsonObject(propertiesOf(root).status)) {
    return undefined;
  }
  const status = propertiesOf(root).status;
  return isJsonObject(status) ? status : {};
}

/** A value without what the schema does not know. */
export function keptBySchema(value: unknown, schema: JsonObject | undefined): unknown {
  if (schema === undefined || schema["x-kubernetes-preserve-unknown-fields"] === true) return value;
  if (Array.isArray(value)) {
    const { items } = schema;
    return value.map((item) => keptBySchema(item, isJsonObject(items) ? items : undefined));
  }
  if (!isJsonObject(value)) return value;
  const properties = propertiesOf(schema);
  const additional = schema.additionalProperties;
  const kept: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const property = properties[key];
    if (isJsonObject(property)) kept[key] = keptBySchema(item, property);
    else if (isJsonObject(additional)) kept[key] = keptBySchema(item, additional);
    else if (additional === true) kept[key] = item;
  }
  return kept;
}

/** True when a status may hold conditions at all: without them, Events and the log alone say how an instance is. */
export function keepsConditions(schema: JsonObject | undefined): boolean {
  const kept = keptBySchema({ conditions: [] }, schema);
  return isJsonObject(kept) && kept.conditions !== undefined;
}

/** True when `status.conditions` is a list by type, so that every writer may hold just its own. */
export function hasConditionMap(schema: JsonObject | undefined): boolean {
  const conditions = schema === undefined ? undefined : propertiesOf(schema).conditions;
  return isJsonObject(conditions) && conditions["x-kubernetes-list-type"] === "map";
}

function propertiesOf(schema: JsonObject): JsonObject {
  return isJsonObject(schema.properties) ? schema.properties : {};
}
