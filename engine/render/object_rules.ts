/**
 * What a rendered object must be before it is worth a request: a type, a name that cannot leave its place in a request path, texts where
 * Kubernetes has texts, and nothing that only the API server may write. A key with nothing behind it (null) counts as not rendered.
 */
import { isKubeObject, type KubeObject } from "../meta/object.ts";
import type { YamlMapping, YamlPath, YamlValue } from "../yaml/mod.ts";

/** Notes something that is wrong at a path of the object. */
export type RefusePath = (path: YamlPath, message: string) => void;

const API_VERSION = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9.]*[A-Za-z0-9])?\/)?[A-Za-z0-9]+$/;
const KIND = /^[A-Za-z][A-Za-z0-9]*$/;
const SERVER_FIELDS: Readonly<Record<string, string>> = {
  generateName: "every render would make another object; write metadata.name",
  managedFields: "the API server writes it; take it away",
  resourceVersion: "the API server writes it; take it away",
  uid: "the API server writes it; take it away",
};

/** The object, or undefined after something was refused. `document` has no keys that begin with `_` any more. */
export function readObject(document: YamlMapping, refuse: RefusePath): KubeObject | undefined {
  const object = withoutNulls(document);
  let fine = true;
  const wrong: RefusePath = (path, message) => {
    fine = false;
    refuse(path, message);
  };
  requireText(object.apiVersion, ["apiVersion"], API_VERSION, "such as v1 or apps/v1", wrong);
  requireText(object.kind, ["kind"], KIND, "such as ConfigMap", wrong);
  checkMetadata(object.metadata, wrong);
  return fine && isKubeObject(object) ? object : undefined;
}

function checkMetadata(metadata: YamlValue | undefined, wrong: RefusePath): void {
  if (metadata === undefined) return wrong(["metadata"], "metadata is missing; write at least metadata.name");
  if (!isMapping(metadata)) return wrong(["metadata"], "metadata has to be a mapping");
  for (const [field, advice] of Object.entries(SERVER_FIELDS)) {
    if (metadata[field] !== undefined) {
      wrong(["metadata", field], `metadata.${field} may not stand in a template: ${advice}`);
    }
  }
  if (metadata.generateName === undefined || metadata.name !== undefined) {
    requirePathPart(metadata.name, "name", wrong);
  }
  if (metadata.namespace !== undefined) requirePathPart(metadata.namespace, "namespace", wrong);
  for (const field of ["labels", "annotations"]) checkTexts(metadata[field], field, wrong);
}

function requireText(
  value: YamlValue | undefined,
  path: readonly string[],
  form: RegExp,
  example: string,
  wrong: RefusePath,
): void {
  const name = path.join(".");
  if (value === undefined || value === "") wrong(path, `${name} is missing; write one ${example}`);
  else if (typeof value !== "string") wrong(path, `${name} is ${formOf(value)}; put it in quotes`);
  else if (!form.test(value)) wrong(path, `${name} is no such text; write one ${example}`);
}

/** Names become parts of a request's path, where `/`, `%` and dots lead elsewhere. */
function requirePathPart(value: YamlValue | undefined, field: string, wrong: RefusePath): void {
  const path = ["metadata", field];
  const name = `metadata.${field}`;
  if (value === undefined || value === "") wrong(path, `${name} is missing or empty; write it`);
  else if (typeof value !== "string") wrong(path, `${name} is ${formOf(value)}; put it in quotes`);
  else if (value === "." || value === ".." || /[/%\p{Cc}]/u.test(value)) {
    wrong(path, `${name} may not hold \`/\`, \`%\` or control characters, nor be \`.\` or \`..\``);
  }
}

function checkTexts(value: YamlValue | undefined, field: string, wrong: RefusePath): void {
  if (value === undefined) return;
  if (!isMapping(value)) return wrong(["metadata", field], `metadata.${field} has to be a mapping of texts`);
  for (const [key, text] of Object.entries(value)) {
    if (typeof text === "string") continue;
    const what = `metadata.${field} has ${formOf(text)} under \`${key}\``;
    wrong(["metadata", field, key], `${what}; it has to be a text: put it in quotes`);
  }
}

/** Says what a value is without showing it. */
function formOf(value: YamlValue | undefined): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a mapping";
  return typeof value === "boolean" ? "a truth value" : "a number";
}

function isMapping(value: YamlValue | undefined): value is YamlMapping {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Takes away, at any depth, the keys of mappings that have null behind them; what has none is not copied. */
function withoutNulls(mapping: YamlMapping): YamlMapping {
  let changed = false;
  const entries: [string, YamlValue][] = [];
  for (const [key, value] of Object.entries(mapping)) {
    const cleaned = cleanValue(value);
    if (cleaned !== value || value === null) changed = true;
    if (cleaned !== undefined && cleaned !== null) entries.push([key, cleaned]);
  }
  // Not by assignment: `__proto__` is a key like any other.
  return changed ? Object.fromEntries(entries) : mapping;
}

function cleanValue(value: YamlValue | undefined): YamlValue | undefined {
  if (isMapping(value)) return withoutNulls(value);
  if (!Array.isArray(value)) return value;
  const items = value.map((item: YamlValue) => cleanValue(item) ?? null);
  return items.some((item, index) => item !== value[index]) ? items : value;
}
