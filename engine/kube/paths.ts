/**
 * From resource and name to the path of a request. Names come out of templates: a name that could leave its place in the path is
 * refused here, before any request, and every part is percent-encoded.
 */
import { apiVersionOf, formatRef, groupKindOf, type ObjectRef } from "../meta/mod.ts";
import type { Resource } from "./discovery.ts";
import { InvalidError } from "./errors.ts";

/** The path of a collection, in one namespace or in all: `/apis/apps/v1/namespaces/shop/deployments`. */
export function collectionPath(resource: Resource, namespace?: string): string {
  const root = resource.group === "" ? "/api" : "/apis";
  const scope = namespace === undefined || !resource.namespaced
    ? ""
    : `/namespaces/${segment(namespace, "metadata.namespace", groupKindOf(resource))}`;
  return `${root}/${apiVersionOf(resource)}${scope}/${resource.plural}`;
}

/** The path of an object or of a subresource of it. Throws InvalidError for a name that cannot be one. */
export function objectPath(resource: Resource, ref: ObjectRef, subresource?: string): string {
  const subject = formatRef(ref);
  if (resource.namespaced && ref.namespace === undefined) {
    throw new InvalidError(`${subject} needs metadata.namespace: ${resource.kind} is namespaced`, {
      code: 0,
      causes: [{ field: "metadata.namespace", reason: "FieldValueRequired" }],
    });
  }
  const name = segment(ref.name, "metadata.name", subject);
  const tail = subresource === undefined ? "" : `/${subresource}`;
  return `${collectionPath(resource, ref.namespace)}/${name}${tail}`;
}

/** The rule of the API server (path.IsValidPathSegmentName): what would change the path is no name. */
function segment(name: string, field: string, subject: string): string {
  const fault = name === ""
    ? "it is empty"
    : name === "." || name === ".."
    ? `it is "${name}"`
    : name.includes("/")
    ? 'it contains "/"'
    : name.includes("%")
    ? 'it contains "%"'
    : undefined;
  if (fault !== undefined) {
    throw new InvalidError(
      `${field} ${JSON.stringify(name)} of ${
        subject.split(" ")[0]
      } cannot be a name: ${fault}; no request was sent`,
      { code: 0, causes: [{ field, reason: "FieldValueInvalid" }] },
    );
  }
  return encodeURIComponent(name);
}
