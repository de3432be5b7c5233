/**
 * What a selection covers, and how an object's change looks through it: an object that leaves the selection is deleted for its
 * watcher, as on the real server.
 */
import type { JsonObject, KubeObject } from "../meta/mod.ts";
import type { Selection } from "../kube/mod.ts";

/** A change of one object; `before` is absent for a new one, `after` for one that is gone. */
export interface FakeChange {
  readonly resourceVersion: number;
  readonly typeKey: string;
  readonly before?: KubeObject;
  readonly after?: KubeObject;
  /** The last state of an object that is gone, with the resourceVersion of its deletion. */
  readonly last?: KubeObject;
}

/** Whether an object is in a selection. Selectors: `a=b`, `a==b`, `a!=b`, `a`, `!a`, `a in (b,c)`, `a notin (b,c)`. */
export function covers(selection: Selection, object: KubeObject): boolean {
  const { name, namespace = "", labels = {} } = object.metadata;
  if (selection.namespace !== undefined && namespace !== "" && selection.namespace !== namespace) {
    return false;
  }
  const fields = { "metadata.name": name, "metadata.namespace": namespace };
  return requirements(selection.labelSelector).every((text) => meets(text, labels)) &&
    requirements(selection.fieldSelector).every((text) => meets(text, fields));
}

function requirements(selector = ""): readonly string[] {
  return selector.split(/,(?![^(]*\))/).map((text) => text.trim()).filter((text) => text !== "");
}

function meets(text: string, values: Readonly<Record<string, string>>): boolean {
  const set = /^(\S+) (in|notin) \((.*)\)$/.exec(text);
  if (set !== null) {
    const [, key = "", operator, list = ""] = set;
    const listed = list.split(",").map((item) => item.trim()).includes(values[key] ?? "\u0000");
    return listed === (operator === "in");
  }
  const equality = /^([^!=]+)(==?|!=)(.*)$/.exec(text);
  if (equality !== null) {
    const [, key = "", operator, value] = equality;
    return (values[key] === value) === (operator !== "!=");
  }
  return text.startsWith("!") ? values[text.slice(1)] === undefined : values[text] !== undefined;
}

/** What a watcher of the selection sees of a change. */
export function seenThrough(
  selection: Selection,
  change: FakeChange,
): { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: KubeObject } | undefined {
  const { before, after, last } = change;
  const was = before !== undefined && covers(selection, before);
  const is = after !== undefined && covers(selection, after);
  if (is) return { type: was ? "MODIFIED" : "ADDED", object: after };
  const gone = last ?? after ?? before;
  return was && gone !== undefined ? { type: "DELETED", object: gone } : undefined;
}

/** Metadata alone, as `PartialObjectMetadata` under the object's own type. */
export function metadataOnly({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  return { apiVersion, kind, metadata };
}

/** An object as JSON data. */
export function asJson(object: KubeObject): JsonObject {
  return JSON.parse(JSON.stringify(object));
}
