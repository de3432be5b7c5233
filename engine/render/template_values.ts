/**
 * Which names templates see: an instance and what the engine knows go in, names with the JSON text of their values come out.
 *
 * Fields that change by themselves at every write (resourceVersion, managedFields) are no input of a render: templates that printed them would
 * never come to rest.
 */
import { type JsonObject, stringifyJson } from "../meta/json.ts";
import { joinMembers, jsonMembers } from "./json_text.ts";
import type { RenderRequest } from "./renderer.ts";

const HIDDEN_METADATA = ["managedFields", "resourceVersion"];

/**
 * Names that every template of an instance sees before `values:` templates add theirs. A mapping that the instance does not have (`spec`,
 * `status`, `labels`, `annotations`) is an empty one; `namespace` is not there for a cluster-scoped instance.
 */
export function instanceValues({ instance, engine, watched, previous }: RenderRequest): Map<string, string> {
  const object = jsonMembers(instance);
  const metadata = jsonMembers(object.get("metadata") ?? "{}");
  for (const hidden of HIDDEN_METADATA) metadata.delete(hidden);
  const values = new Map<string, string>();
  for (const name of ["apiVersion", "kind"]) values.set(name, object.get(name) ?? `""`);
  values.set("metadata", joinMembers(metadata));
  for (const name of ["spec", "status"]) values.set(name, object.get(name) ?? "{}");
  for (const name of ["name", "uid"]) values.set(name, metadata.get(name) ?? `""`);
  const namespace = metadata.get("namespace");
  if (namespace !== undefined) values.set("namespace", namespace);
  for (const name of ["labels", "annotations"]) values.set(name, metadata.get(name) ?? "{}");
  values.set("generation", metadata.get("generation") ?? "1");
  values.set("revision", stringifyJson(engine.revision));
  values.set("revision_timestamp", stringifyJson(engine.revisionTimestamp));
  values.set("crd", stringifyJson(engine.crd));
  values.set("operator", stringifyJson(engine.operator));
  values.set("watched", watched);
  values.set("previous", previous);
  values.set("shutdown", stringifyJson(engine.shutdown));
  return values;
}

/** What the status template sees besides. */
export function resultValue(result: JsonObject): ReadonlyMap<string, string> {
  return new Map([["result", stringifyJson(result)]]);
}
