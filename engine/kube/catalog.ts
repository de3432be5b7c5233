/**
 * What a server serves, from its aggregated discovery (`APIGroupDiscoveryList`): kinds become resources, and a kind that is not
 * there becomes a sentence that says what is.
 */
import { apiVersionOf, groupKindOf, type GroupVersionKind, isJsonObject } from "../meta/mod.ts";
import type { Resource } from "./discovery.ts";

/** A group, as far as it is read. Lists that the server leaves out are empty ones. */
export interface GroupDiscovery {
  readonly metadata?: { readonly name?: string };
  readonly versions?: readonly {
    readonly version: string;
    readonly resources?: readonly ResourceDiscovery[];
  }[];
}

interface ResourceDiscovery {
  readonly resource: string;
  readonly responseKind?: { readonly kind?: string };
  readonly scope?: string;
  readonly verbs?: readonly string[];
  readonly subresources?: readonly { readonly subresource: string }[];
}

/** The guard for the answer of `/api` and `/apis`: the kind vouches for the shape of the items. */
export function isGroupList(value: unknown): value is { readonly items: readonly GroupDiscovery[] } {
  return isJsonObject(value) && value.kind === "APIGroupDiscoveryList" && Array.isArray(value.items);
}

/** All resources of a server. */
export class Catalog {
  readonly #resources: ReadonlyMap<string, Resource>;

  constructor(groups: readonly GroupDiscovery[]) {
    const resources = groups.flatMap(resourcesOf);
    this.#resources = new Map(resources.map((resource) => [keyOf(resource), resource]));
  }

  /** The resource of a type, in exactly that version. */
  find(type: GroupVersionKind): Resource | undefined {
    return this.#resources.get(keyOf(type));
  }

  /** Why a type is not found, and what the server serves instead. */
  explainMiss(type: GroupVersionKind): string {
    const wanted = `The API server serves no ${type.kind} of ${apiVersionOf(type)}`;
    const all = [...this.#resources.values()];
    const group = all.filter((resource) => resource.group === type.group);
    const versions = group.filter((resource) => resource.kind === type.kind).map(apiVersionOf);
    if (versions.length > 0) return `${wanted}; it serves ${groupKindOf(type)} as ${versions.join(", ")}`;
    if (group.length === 0) return `${wanted}: no API group "${type.group}" is served; is its CRD installed?`;
    const elsewhere = all.filter((resource) => resource.kind === type.kind).map(apiVersionOf);
    if (elsewhere.length > 0) return `${wanted}; a ${type.kind} is served by ${elsewhere.join(", ")}`;
    const kinds = [...new Set(group.map((resource) => resource.kind))].sort();
    return `${wanted}; kinds of ${type.group === "" ? "the core group" : type.group}: ${kinds.join(", ")}`;
  }
}

function resourcesOf(group: GroupDiscovery): readonly Resource[] {
  const name = group.metadata?.name ?? "";
  return (group.versions ?? []).flatMap(({ version, resources = [] }) =>
    resources.flatMap((entry) => resourceOf(entry, name, version))
  );
}

function resourceOf(entry: ResourceDiscovery, group: string, version: string): readonly Resource[] {
  const kind = entry.responseKind?.kind;
  if (!kind) return [];
  return [{
    group,
    version,
    kind,
    plural: entry.resource,
    namespaced: entry.scope === "Namespaced",
    subresources: (entry.subresources ?? []).map(({ subresource }) => subresource),
    verbs: entry.verbs ?? [],
  }];
}

function keyOf(type: GroupVersionKind): string {
  return `${apiVersionOf(type)} ${type.kind}`;
}
