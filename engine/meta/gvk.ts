/**
 * Group, version and kind: how a manifest names a type, and the text forms of it.
 */

/** Group (empty for the core group), version and kind of a type. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** `apps/v1` → group `apps`, version `v1`; `v1` → the core group. */
export function parseApiVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const slash = apiVersion.indexOf("/");
  return slash < 0
    ? { group: "", version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** The `apiVersion` text of a type: `v1`, `apps/v1`. */
export function apiVersionOf(type: { readonly group: string; readonly version: string }): string {
  return type.group === "" ? type.version : `${type.group}/${type.version}`;
}

/** The type of an object. */
export function gvkOf(object: { readonly apiVersion: string; readonly kind: string }): GroupVersionKind {
  return { ...parseApiVersion(object.apiVersion), kind: object.kind };
}

/** `ConfigMap`, `Deployment.apps`: a type without its version, as kubectl prints it; also its identity as a key. */
export function groupKindOf(type: { readonly group: string; readonly kind: string }): string {
  return type.group === "" ? type.kind : `${type.kind}.${type.group}`;
}
