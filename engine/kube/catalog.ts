/**
 * What a server serves, from its aggregated discovery (`APIGroupDiscoveryList`): kinds become resources, and a kind that is not
 * there becomes a sentence that says what is.
 */
import { apiVersionOf, groupKindOf, type GroupVersionKind, isJsonObject } from "../meta/mod.ts";
import type { Resource } from "./discovery.ts";

/** A group, as far as it is read. Lists that the server leaves out are empty ones. */
export interface GroupDiscovery {
  readonly metadata?: { readonly name?: string };
  /** The preferred one first. */
  readonly versions?: readonly {
    readonly version: string;
    /** `Stale`: whoever serves this version did not answer, so that its resources may be missing. */
    readonly freshness?: string;
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
  /** Versions that are known by name only, by group. */
  readonly #stale: ReadonlyMap<string, readonly string[]>;

  constructor(groups: readonly GroupDiscovery[]) {
    const resources = groups.flatMap(resourcesOf);
    this.#resources = new Map(resources.map((resource) => [keyOf(resource), resource]));
    this.#stale = new Map(groups.map((group) => [nameOf(group), staleVersionsOf(group)]));
  }

  /** The resource of a type, in exactly that version. */
  find(type: GroupVersionKind): Resource | undefined {
    return this.#resources.get(keyOf(type));
  }

  /** The resource of a type in whatever version the server prefers. */
  findInAnyVersion(type: GroupVersionKind): Resource | undefined {
    return [...this.#resources.values()].find(({ group, kind }) =>
      group === type.group && kind === type.kind
    );
  }

  /** Why nothing certain can be said about what a group does not show; undefined when it can. */
  explainIncomplete(group: string): string | undefined {
    const stale = this.#stale.get(group) ?? [];
    if (stale.length === 0) return undefined;
    return `Discovery of group ${group} is incomplete: whoever serves ${stale.join(", ")} does not answer`;
  }

  /** Why a type is not found, and what the server serves instead. */
  explainMiss(type: GroupVersionKind): string {
    const wanted = `The API server serves no ${type.kind} of ${apiVersionOf(type)}`;
    const all = [...this.#resources.values()];
    const group = all.filter((resource) => resource.group === type.group);
    const versions = group.filter((resource) => resource.kind === type.kind).map(apiVersionOf);
    const incomplete = this.explainIncomplete(type.group);
    if (incomplete !== undefined) return `${wanted} now. ${incomplete}`;
    if (versions.length > 0) return `${wanted}; it serves ${groupKindOf(type)} as ${versions.join(", ")}`;
    if (group.length === 0) return `${wanted}: no API group "${type.group}" is served; is its CRD installed?`;
    const elsewhere = all.filter((resource) => resource.kind === type.kind).map(apiVersionOf);
    if (elsewhere.length > 0) return `${wanted}; a ${type.kind} is served by ${elsewhere.join(", ")}`;
    const kinds = [...new Set(group.map((resource) => resource.kind))].sort();
    return `${wanted}; kinds of ${type.group === "" ? "the core group" : type.group}: ${kinds.join(", ")}`;
  }
}

function nameOf(group: GroupDiscovery): string {
  return group.metadata?.name ?? "";
}

function staleVersionsOf(group: GroupDiscovery): readonly string[] {
  return (group.versions ?? []).filter(({ freshness }) => freshness === "Stale")
    .map(({ version }) => apiVersionOf({ group: nameOf(group), version }));
}

function resourcesOf(group: GroupDiscovery): readonly Resource[] {
  const name = nameOf(group);
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
