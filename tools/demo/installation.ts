/**
 * What the cluster must have before the operator comes: CRDs and a namespace. First it is found out what is missing (so that it can be said), then only
 * that is made, and every object that was made here can be taken back by its UID. What was there before is not touched.
 */
import {
  AlreadyExistsError,
  ApiError,
  type CrdName,
  CUSTOM_RESOURCE_DEFINITIONS,
  formatRef,
  type GroupVersionKind,
  InvalidError,
  isJsonObject,
  type KubeObject,
  NoMatchError,
  type ObjectRef,
  readinessOf,
  refOf,
} from "../../engine/mod.ts";
import { ciliumCrds } from "../control_plane/crds.ts";
import type { Progress } from "../control_plane/cache.ts";
import { type Cluster, readObjects } from "./cluster.ts";

/** An object of the installation, and the file that it comes from. */
export interface Part {
  readonly object: KubeObject;
  readonly file?: string;
}

/** What there is to do. */
export interface InstallationPlan {
  readonly missing: readonly Part[];
  readonly present: readonly ObjectRef[];
}

/** What the demo needs of a cluster. */
export interface Needs {
  /** File of the CRD of the instances. */
  readonly crdFile: string;
  /** The operator's namespace. */
  readonly namespace: string;
  /** All CRDs of Cilium, or only the one that the templates use. */
  readonly ciliumCrds: "all" | "used";
  readonly onProgress: Progress;
}

const USED_CILIUM_CRD = "ciliumnetworkpolicies.cilium.io";
const READY_MS = 30_000;
const LOOK_MS = 50;
/** Deleting a CRD or a namespace takes the API server some seconds. */
const GONE_MS = 60_000;

/** Finds out what is missing. Reads only. */
export async function planInstallation(cluster: Cluster, needs: Needs): Promise<InstallationPlan> {
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: needs.namespace } };
  const own = await partsOf([needs.crdFile]);
  const usedCrd = await cluster.get({ ...CUSTOM_RESOURCE_DEFINITIONS, name: USED_CILIUM_CRD });
  const cilium = usedCrd === undefined
    ? await partsOf(await ciliumCrds(needs.onProgress))
    : [{ object: usedCrd }];
  const wanted = needs.ciliumCrds === "all"
    ? cilium
    : cilium.filter(({ object }) => object.metadata.name === USED_CILIUM_CRD);
  const parts: readonly Part[] = [...own, ...wanted, { object: namespace }];
  const found = await Promise.all(parts.map(({ object }) => cluster.get(refOf(object))));
  return {
    missing: parts.filter((_, index) => found[index] === undefined),
    present: parts.filter((_, index) => found[index] !== undefined).map(({ object }) => refOf(object)),
  };
}

async function partsOf(files: readonly string[]): Promise<readonly Part[]> {
  const parts = await Promise.all(
    files.map(async (file) => (await readObjects(file)).map((object) => ({ object, file }))),
  );
  return parts.flat();
}

/**
 * Makes what is missing and waits until the API server serves it. `made` hears of each object as soon as it exists, so that it can be taken
 * back even when the next one fails.
 */
export async function install(
  cluster: Cluster,
  { missing }: InstallationPlan,
  made: (object: KubeObject) => void,
): Promise<void> {
  // All of them are waited for, also when one fails: what comes late has to be taken back, too.
  const results = await Promise.allSettled(missing.map(async ({ object }) => {
    try {
      made(await cluster.create(object));
    } catch (error) {
      if (!(error instanceof AlreadyExistsError)) throw error; // somebody else was faster: theirs
    }
  }));
  for (const result of results) if (result.status === "rejected") throw result.reason;
  await Promise.all(missing.map(async (part) => {
    const ref = refOf(part.object);
    await soon(`${formatRef(ref)} is there`, READY_MS, async () => {
      const object = await cluster.get(ref);
      return object !== undefined && readinessOf(object).ready;
    });
  }));
  cluster.mapper.invalidate();
  await Promise.all(missing.map(async ({ object }) => {
    const type = definedBy(object);
    if (type !== undefined) await soon(`${type.kind} is served`, READY_MS, () => isServed(cluster, type));
  }));
}

/** The type that a CRD defines, in its first version; undefined for any other object. */
function definedBy({ kind, spec }: KubeObject): GroupVersionKind | undefined {
  if (kind !== CUSTOM_RESOURCE_DEFINITIONS.kind || !isJsonObject(spec)) return undefined;
  const { group, names, versions } = spec;
  const version = Array.isArray(versions) ? versions[0] : undefined;
  if (!isJsonObject(names) || !isJsonObject(version)) return undefined;
  return { group: String(group), version: String(version.name), kind: String(names.kind) };
}

/** Established is not all: for a second or so the API server refuses to watch a new type, while it fills its cache. */
async function isServed(cluster: Cluster, type: GroupVersionKind): Promise<boolean> {
  const controller = new AbortController();
  const { signal } = controller;
  try {
    const resource = await cluster.mapper.resourceFor(type);
    // The first event is there at once: the end of the empty list.
    for await (const _ of cluster.client.watch(resource, { sendInitialEvents: true, signal })) break;
    return true;
  } catch (error) {
    if (error instanceof InvalidError) return true; // an older server, without streamed lists
    if (!(error instanceof NoMatchError || error instanceof ApiError)) throw error;
    return false;
  } finally {
    controller.abort();
  }
}

/** Takes objects back, the last made first, and waits until each is gone. */
export async function uninstall(cluster: Cluster, objects: readonly KubeObject[]): Promise<void> {
  for (const object of objects.toReversed()) {
    const ref = refOf(object);
    await cluster.remove(ref, object.metadata.uid ?? "");
    await soon(`${formatRef(ref)} is gone`, GONE_MS, async () => await cluster.get(ref) === undefined);
  }
}

/** The instances of a CRD that are there already; none when the CRD is not. */
export async function instancesOf(cluster: Cluster, crd: CrdName): Promise<readonly ObjectRef[]> {
  try {
    const { items } = await cluster.client.list(await cluster.mapper.resourceFor(crd));
    return items.map(({ object }) => refOf(object));
  } catch (error) {
    if (error instanceof NoMatchError) return [];
    throw error;
  }
}

async function soon(what: string, timeoutMs: number, ask: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!await ask()) {
    if (performance.now() > end) throw new Error(`Not within ${timeoutMs / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
