/**
 * What the cluster must have before the operator comes: CRDs and a namespace. First it is found out what is missing (so that it can be said), then only
 * that is made, and every object that was made here can be taken back by its UID. What was there before is not touched.
 */
import {
  AlreadyExistsError,
  type CrdName,
  CUSTOM_RESOURCE_DEFINITIONS,
  formatRef,
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
  const created = await Promise.all(missing.map(async ({ object }) => {
    try {
      const stored = await cluster.create(object);
      made(stored);
      return refOf(stored);
    } catch (error) {
      if (error instanceof AlreadyExistsError) return refOf(object); // somebody else was faster: theirs
      throw error;
    }
  }));
  for (const ref of created) {
    await soon(`${formatRef(ref)} is served`, READY_MS, async () => {
      const object = await cluster.get(ref);
      return object !== undefined && readinessOf(object).ready;
    });
  }
  cluster.mapper.invalidate();
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
    const { items } = await cluster.client.list(await cluster.mapper.resourceFor(crd), {
      metadataOnly: true,
    });
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
