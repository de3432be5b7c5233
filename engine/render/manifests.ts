/**
 * Documents become manifests: Lists are taken apart, the keys that begin with `_` are read and taken off, objects are checked, and nothing is there
 * twice. All problems are collected, because nobody wants to correct a template one error at a time.
 */
import { formatOrigin, type Manifest } from "../meta/manifest.ts";
import { formatRef, refKey, refOf } from "../meta/ref.ts";
import type { YamlMapping, YamlPath, YamlValue } from "../yaml/mod.ts";
import type { PrintedDocument } from "./documents.ts";
import { readIntent } from "./intent.ts";
import { readObject } from "./object_rules.ts";
import type { RenderProblem } from "./render_error.ts";

/** A mapping that is to be a manifest: a document, or an item of a List. */
interface Candidate {
  readonly mapping: YamlMapping;
  readonly document: PrintedDocument;
  /** Where it stands in the document. */
  readonly path: YamlPath;
}

/** Turns the documents of one template into manifests; what is wrong goes to `problems`. */
export function toManifests(
  documents: readonly PrintedDocument[],
  problems: RenderProblem[],
): readonly Manifest[] {
  return documents.flatMap((document) => candidatesIn(document, problems)).flatMap((candidate) => {
    const manifest = toManifest(candidate, problems);
    return manifest === undefined ? [] : [manifest];
  });
}

/** The same object twice in one render: which of the two is meant? */
export function refuseTwins(manifests: readonly Manifest[], problems: RenderProblem[]): void {
  const seen = new Map<string, Manifest>();
  for (const manifest of manifests) {
    const ref = refOf(manifest.object);
    const first = seen.get(refKey(ref));
    if (first === undefined) seen.set(refKey(ref), manifest);
    else if (first.action === "apply" || manifest.action === "apply") {
      problems.push({
        kind: "manifest",
        ...manifest.origin,
        message: `${formatRef(ref)} is rendered twice: ${formatOrigin(first.origin)} prints it, too; ` +
          "take one away, or give it another name",
      });
    }
  }
}

function candidatesIn(document: PrintedDocument, problems: RenderProblem[]): readonly Candidate[] {
  const { value } = document;
  if (!isMapping(value)) {
    const found = Array.isArray(value) ? "a list" : "a single value";
    refuser({ mapping: {}, document, path: [] }, problems)(
      [],
      `is ${found}; an object is a mapping with apiVersion, kind and metadata`,
    );
    return [];
  }
  const whole: Candidate = { mapping: value, document, path: [] };
  if (value.kind !== "List" || value.apiVersion !== "v1") return [whole];
  const items = value.items ?? [];
  if (!Array.isArray(items)) {
    refuser(whole, problems)(["items"], "items of a List has to be a list");
    return [];
  }
  const inherited = pick(value, (key) => key.startsWith("_"));
  return items.flatMap((item: YamlValue, index) => {
    if (isMapping(item)) return [{ mapping: { ...inherited, ...item }, document, path: ["items", index] }];
    refuser(whole, problems)(["items", index], `item ${index + 1} of the List has to be a mapping`);
    return [];
  });
}

function toManifest(candidate: Candidate, problems: RenderProblem[]): Manifest | undefined {
  const refuse = refuser(candidate, problems);
  const intent = readIntent(candidate.mapping, (key, message) => refuse([key], message));
  const object = readObject(pick(candidate.mapping, (key) => !key.startsWith("_")), refuse);
  if (object === undefined) return undefined;
  return { object, ...intent, origin: candidate.document.placeOf(candidate.path) };
}

/** Notes problems of one candidate, with the object's name as far as it has one. Values are not shown. */
function refuser(
  candidate: Candidate,
  problems: RenderProblem[],
): (path: YamlPath, message: string) => void {
  const { document, mapping, path } = candidate;
  return (inner, message) => {
    problems.push({
      kind: "manifest",
      ...document.placeOf([...path, ...inner]),
      message: `Document ${document.number}${nameOf(mapping)}: ${message}`,
    });
  };
}

function nameOf(mapping: YamlMapping): string {
  const { kind, metadata } = mapping;
  const words = [kind, isMapping(metadata) ? metadata.name : undefined];
  const name = words.filter((word) => typeof word === "string" && word.length < 254).join(" ");
  return name === "" ? "" : ` (${name})`;
}

function isMapping(value: YamlValue | undefined): value is YamlMapping {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A mapping with some of its keys; made without assignment, because `__proto__` is a key like any other. */
function pick(mapping: YamlMapping, wanted: (key: string) => boolean): YamlMapping {
  return Object.fromEntries(Object.entries(mapping).filter(([key]) => wanted(key)));
}
