/**
 * From manifests to what is wanted of the cluster: each gets its endpoint, its namespace, our stamp and a digest.
 *
 * Checked here, before any request: the kind is served (or comes with a CRD of the same render), and the namespace is one that this
 * instance may write to: its own, one that it renders itself, or one that the implementation declares.
 */
import { NoMatchError, type Resource, type RestMapper } from "../kube/mod.ts";
import {
  digestOf,
  formatOrigin,
  formatRef,
  gvkOf,
  isJsonObject,
  type KubeObject,
  type Manifest,
  type ObjectRef,
  refKey,
} from "../meta/mod.ts";
import { splitIgnored } from "./ignored_fields.ts";
import { type Ownership, stamp } from "./ownership.ts";

/** A manifest that is ready to be applied or deleted. */
export interface Desired {
  readonly manifest: Manifest;
  readonly ref: ObjectRef;
  /** Absent while the CRD of its kind, which comes with the same render, is not served yet. */
  readonly resource: Resource | undefined;
  /** What our own apply holds. */
  readonly object: KubeObject;
  /** What a second field manager sets once (`_ignore`). */
  readonly initial: KubeObject | undefined;
  /** It may go to its namespace only because this render makes that: so that has to be made, and be ours, first. */
  readonly needsNamespace: boolean;
  /** Equal manifest and owner, equal digest. */
  readonly digest: string;
}

/** A manifest that cannot be wanted as it is: nothing of the render is applied then. */
export interface Unresolved {
  readonly manifest: Manifest;
  /** `UnknownKind` heals by itself once the kind is served; `ForeignNamespace` needs another template. */
  readonly reason: "UnknownKind" | "ForeignNamespace" | "MissingNamespace" | "RendersItself";
  readonly message: string;
}

/** What a render comes to. */
export interface Resolution {
  readonly desired: readonly Desired[];
  readonly unresolved: readonly Unresolved[];
}

/** What resolving needs to know. */
export interface ResolveOptions {
  readonly mapper: RestMapper;
  readonly ownership: Ownership;
  /** Namespaces that the implementation declares; `*` stands for all. */
  readonly namespaces: readonly string[];
}

/** Resolves all manifests of a render; order is kept. Throws only when the discovery itself cannot be read. */
export async function resolveDesired(
  manifests: readonly Manifest[],
  options: ResolveOptions,
): Promise<Resolution> {
  const { owner } = options.ownership;
  const rendered = manifests.filter(({ object, action }) =>
    action === "apply" && object.kind === "Namespace"
  );
  const own = new Set([...options.namespaces, ...(owner.namespace === undefined ? [] : [owner.namespace])]);
  const places = { own, rendered: new Set(rendered.map((m) => m.object.metadata.name)) };
  const comingKinds = new Set(manifests.flatMap(kindsDefinedBy));

  const desired: Desired[] = [];
  const unresolved: Unresolved[] = [];
  for (const manifest of manifests) {
    const result = await resolveOne(manifest, options, places, comingKinds);
    if ("reason" in result) unresolved.push(result);
    else desired.push(result);
  }
  return { desired, unresolved };
}

/** Namespaces that documents may go to: the instance's own and declared ones, and those that the same render makes. */
interface Places {
  readonly own: ReadonlySet<string>;
  readonly rendered: ReadonlySet<string>;
}

async function resolveOne(
  manifest: Manifest,
  { mapper, ownership }: ResolveOptions,
  places: Places,
  comingKinds: ReadonlySet<string>,
): Promise<Desired | Unresolved> {
  const { object } = manifest;
  const type = gvkOf(object);
  let resource: Resource | undefined;
  try {
    resource = await mapper.resourceFor(type);
  } catch (error) {
    if (!(error instanceof NoMatchError)) throw error;
    // What nobody serves is not there: nothing to delete.
    if (manifest.action === "apply" && !comingKinds.has(`${type.group}/${type.kind}`)) {
      const message = `${
        formatOrigin(manifest.origin)
      }: ${object.kind} ${object.metadata.name}: ${error.message}`;
      return { manifest, reason: "UnknownKind", message };
    }
  }
  const namespace = resource?.namespaced === false
    ? undefined
    : object.metadata.namespace ?? ownership.owner.namespace;
  const ref: ObjectRef = {
    ...type,
    ...(namespace === undefined ? {} : { namespace }),
    name: object.metadata.name,
  };
  if (namespace === undefined && resource?.namespaced === true) {
    const message = `${formatOrigin(manifest.origin)}: ${formatRef(ref)} needs metadata.namespace: ` +
      `its kind is namespaced and the instance is not`;
    return { manifest, reason: "MissingNamespace", message };
  }
  const isOwn = namespace === undefined || places.own.has(namespace) || places.own.has("*");
  if (!isOwn && !places.rendered.has(namespace)) {
    const message =
      `${formatOrigin(manifest.origin)}: ${formatRef(ref)} would go to namespace ${namespace}, ` +
      `which this instance neither lives in nor renders: declare it under "namespaces:" of the implementation`;
    return { manifest, reason: "ForeignNamespace", message };
  }
  if (refKey(ref) === refKey(ownership.owner)) {
    const message = `${formatOrigin(manifest.origin)}: ${
      formatRef(ref)
    } is the instance itself: it cannot own itself`;
    return { manifest, reason: "RendersItself", message };
  }
  const { own, initial } = splitIgnored(placed(object, namespace), manifest.ignore);
  const stamped = stamp(own, ownership, manifest.keep);
  return {
    manifest,
    ref,
    resource,
    object: stamped,
    initial,
    needsNamespace: !isOwn,
    digest: digestOf(stamped).slice(0, 32),
  };
}

function placed(object: KubeObject, namespace: string | undefined): KubeObject {
  const { namespace: _dropped, ...metadata } = object.metadata;
  return { ...object, metadata: namespace === undefined ? metadata : { ...metadata, namespace } };
}

/** `group/kind` that a CustomResourceDefinition among the manifests will serve. */
function kindsDefinedBy({ object, action }: Manifest): readonly string[] {
  if (object.kind !== "CustomResourceDefinition" || action === "delete" || !isJsonObject(object.spec)) {
    return [];
  }
  const { group, names } = object.spec;
  return isJsonObject(names) ? [`${String(group)}/${String(names.kind)}`] : [];
}

/**
 * The order of application: as rendered, but within each wave (up to a `_wait`) Namespaces and CRDs go first, since everything else
 * in the wave may live in them.
 */
export function inOrder(desired: readonly Desired[]): readonly Desired[] {
  const ordered: Desired[] = [];
  let wave: Desired[] = [];
  const flush = () => {
    ordered.push(...wave.filter(isFoundation), ...wave.filter((one) => !isFoundation(one)));
    wave = [];
  };
  for (const one of desired) {
    wave.push(one);
    if (one.manifest.wait !== false) flush();
  }
  flush();
  return ordered;
}

function isFoundation({ ref }: Desired): boolean {
  return ref.kind === "Namespace" && ref.group === "" || ref.kind === "CustomResourceDefinition";
}
