/**
 * Answers of the API server become data: one object, the metadata of one, a page of a list. Texts are kept as the server wrote
 * them, since templates read those.
 */
import { isJsonObject, isKubeObject, type KubeObject, parseJson, typeMetaOf } from "../meta/mod.ts";
import type { ListPage, ReadObject } from "./client.ts";
import type { Resource } from "./discovery.ts";
import { ApiError } from "./errors.ts";
import { itemSpans, memberSpans } from "./json_spans.ts";
import type { Attempt } from "./status_error.ts";

/** A whole object. Throws ApiError when the text is none. */
export function readObject(text: string, attempt: Attempt): ReadObject {
  const object = parseJson(text);
  if (!isKubeObject(object)) throw notAnObject(attempt);
  return { object, text };
}

/** An answer of kind `PartialObjectMetadata`, under the object's own type. */
export function metadataOf(text: string, resource: Resource, attempt: Attempt): KubeObject {
  const { object } = readObject(text, attempt);
  return { ...object, ...typeMetaOf(resource) };
}

/** How to read the items of a page. */
export interface PageReading {
  readonly resource: Resource;
  readonly attempt: Attempt;
  /** Keep the JSON text of each item; else it is empty. */
  readonly withText: boolean;
}

/** A page of a list; each item with the text that it has in the page. */
export function readPage(text: string, reading: PageReading): ListPage {
  const members = memberSpans(text);
  const itemsAt = members.get("items");
  const metadataAt = members.get("metadata");
  const metadata: unknown = metadataAt === undefined ? undefined : parseJson(text.slice(...metadataAt));
  if (!isJsonObject(metadata) || typeof metadata.resourceVersion !== "string") {
    throw notAnObject(reading.attempt);
  }
  const continueToken = typeof metadata.continue === "string" ? metadata.continue : "";
  const spans = itemsAt === undefined ? [] : itemSpans(text, itemsAt[0]);
  return {
    items: spans.map(([start, end]) => readItem(text.slice(start, end), reading)),
    resourceVersion: metadata.resourceVersion,
    ...(continueToken === "" ? {} : { continueToken }),
  };
}

/** Items of a list of a built-in type bear no apiVersion and kind; those of metadata bear the wrong ones. */
function readItem(itemText: string, { resource, attempt, withText }: PageReading): ReadObject {
  const item = parseJson(itemText);
  if (!isJsonObject(item)) throw notAnObject(attempt);
  const type = typeMetaOf(resource);
  const object = { ...type, ...item, ...type };
  if (!isKubeObject(object)) throw notAnObject(attempt);
  if (!withText) return { object, text: "" };
  if (item.apiVersion !== undefined && item.kind !== undefined) return { object, text: itemText };
  return { object, text: `{"apiVersion":"${type.apiVersion}","kind":"${type.kind}",${itemText.slice(1)}` };
}

function notAnObject(attempt: Attempt): ApiError {
  const message = `${attempt.verb} of ${attempt.subject} failed: the answer is no Kubernetes object`;
  return new ApiError(message, { code: 200 });
}
