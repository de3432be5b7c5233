/**
 * The story, once cluster and operator are there: instances are made, shown, damaged, changed and deleted, and each time it is waited for what the
 * operator does about it. Every step says what was done and what was seen; one that does not see what it should throws.
 */
import { fileURLToPath } from "node:url";
import {
  isJsonObject,
  type JsonObject,
  type KubeObject,
  type ObjectRef,
  type OwnNames,
  refOf,
  type Resource,
} from "../../engine/mod.ts";
import { type Cluster, readObjects } from "./cluster.ts";
import type { Observer, UntilOptions } from "./observer.ts";
import type { Screen } from "./screen.ts";
import { conditionOf, isReady, statusOf, treeLines, type TreeNode } from "./tree.ts";

/** What the story is played with. */
export interface Stage {
  readonly cluster: Cluster;
  readonly observer: Observer;
  readonly screen: Screen;
  readonly names: OwnNames;
  /** Endpoint of the instances. */
  readonly resource: Resource;
  /** The operator's namespace. */
  readonly namespace: string;
  /** Hears of each instance as soon as it exists. */
  readonly made: (instance: KubeObject) => void;
  /** Stops the story. */
  readonly signal: AbortSignal;
}

/** Folder of the samples. */
const SAMPLES = fileURLToPath(new URL("../../templates/secure-namespace/samples/", import.meta.url));
const LIMIT_MS = 30_000;
/** The API server takes at least five seconds to end a namespace. */
const DELETE_LIMIT_MS = 90_000;
/** The instance that is damaged and changed, and the one that is deleted. Both samples name their namespace like themselves. */
const SHOP = "shop-dev";
const BILLING = "billing-prod";
const ENFORCE = "pod-security.kubernetes.io/enforce";

/** The samples: file and object. */
export async function readSamples(): Promise<
  readonly { readonly file: string; readonly object: KubeObject }[]
> {
  const files = ["minimal.yaml", "full.yaml", "first-generation.yaml"];
  const read = await Promise.all(
    files.map(async (file) => (await readObjects(`${SAMPLES}${file}`)).map((object) => ({ file, object }))),
  );
  return read.flat();
}

/** Plays all steps. Throws when something is not as it should be, or with the signal's reason. */
export async function playStory(stage: Stage): Promise<void> {
  await applySamples(stage);
  await deleteQuota(stage);
  await editLabel(stage);
  await changeSpec(stage);
  showStatus(stage);
  await deleteInstance(stage);
}

async function applySamples(stage: Stage): Promise<void> {
  const { cluster, observer, screen, made } = stage;
  screen.step("Three SecureNamespaces");
  screen.say("Below each is what the templates make of it: ✔ ready, … not yet");
  const samples = await readSamples();
  const started = performance.now();
  for (const { file, object } of samples) {
    stage.signal.throwIfAborted();
    screen.command(`kubectl apply -f templates/secure-namespace/samples/${file}`);
    made(await cluster.create(object));
  }
  const names = samples.map(({ object }) => object.metadata.name);
  const isDone = () => observer.nodes().length >= names.length && observer.nodes().every(isWhole);
  await watchTree(stage, () => observer.nodes(), isDone, LIMIT_MS);
  const objects = observer.nodes().reduce((sum, { children }) => sum + children.length, 0);
  screen.good(
    `${names.length} instances Ready, ${objects} objects, ${since(started)} after the first kubectl apply`,
  );
}

async function deleteQuota(stage: Stage): Promise<void> {
  const { cluster, observer, screen } = stage;
  const quota: ObjectRef = {
    group: "",
    version: "v1",
    kind: "ResourceQuota",
    namespace: SHOP,
    name: `${SHOP}-quota`,
  };
  screen.step("Somebody deletes the quota");
  screen.command(`kubectl delete resourcequota ${quota.name} -n ${SHOP}`);
  const uid = (await needed(cluster, quota)).metadata.uid ?? "";
  const started = performance.now();
  const back = observer.until(
    (change) =>
      change?.new !== undefined && isObject(change.new, quota) && change.new.metadata.uid !== uid
        ? since(started)
        : undefined,
    limits(stage, `${quota.kind} ${quota.name} is made again`),
  );
  const [took] = await Promise.all([back, cluster.remove(quota, uid)]);
  screen.good(
    `There again ${took} after the delete was sent (told by a watch), with another UID and the same limits`,
  );
}

async function editLabel(stage: Stage): Promise<void> {
  const { cluster, observer, screen } = stage;
  const namespace: ObjectRef = { group: "", version: "v1", kind: "Namespace", name: SHOP };
  const before = (await needed(cluster, namespace)).metadata.labels?.[ENFORCE];
  screen.step("Somebody loosens the pod security of the namespace");
  screen.command(`kubectl label namespace ${SHOP} --overwrite ${ENFORCE}=privileged`);
  const labelOf = (object: KubeObject | undefined) => object?.metadata.labels?.[ENFORCE];
  const started = performance.now();
  const back = observer.until((change) => {
    const { old, new: now } = change ?? {};
    const isBack = now !== undefined && isObject(now, namespace) && labelOf(old) === "privileged" &&
      labelOf(now) === before;
    return isBack ? since(started) : undefined;
  }, limits(stage, `label ${ENFORCE} of Namespace ${SHOP} is ${before} again`));
  const [took] = await Promise.all([
    back,
    cluster.patch(namespace, { metadata: { labels: { [ENFORCE]: "privileged" } } }),
  ]);
  screen.good(`"${before}" again ${took} after the edit was sent (told by a watch)`);
}

async function changeSpec(stage: Stage): Promise<void> {
  const { cluster, observer, screen, resource } = stage;
  screen.step("The tenant asks for more pods");
  screen.command(`kubectl patch sns ${SHOP} --type=merge -p '{"spec":{"quotas":{"objects":{"pods":12}}}}'`);
  const started = performance.now();
  const { generation } = await cluster.patch({ ...resource, name: SHOP }, {
    spec: { quotas: { objects: { pods: 12 } } },
  })
    .then(({ metadata }) => metadata);
  const revision = await observer.until(() => {
    const node = observer.nodes().find(({ instance }) => instance.metadata.name === SHOP);
    if (node === undefined || node.instance.metadata.generation !== generation || !isWhole(node)) {
      return undefined;
    }
    const quota = node.children.find(({ kind }) => kind === "ResourceQuota");
    const hard = isJsonObject(quota?.spec) ? quota.spec.hard : undefined;
    return isJsonObject(hard) && hard.pods === "12" ? String(statusOf(node.instance).revision) : undefined;
  }, limits(stage, `the quota of ${SHOP} grants 12 pods and ${SHOP} is Ready`));
  screen.good(`Quota changed and Ready again after ${since(started)}, as revision ${revision}`);
}

function showStatus({ observer, screen, namespace }: Stage): void {
  const instance = observer.instance(SHOP);
  if (instance === undefined) throw new Error(`SecureNamespace ${SHOP} is gone, though nobody deleted it`);
  screen.step("What is remembered");
  screen.command(`kubectl get sns ${SHOP} -o yaml`);
  for (const line of statusLines(instance)) screen.say(`  ${line}`);
  const history = observer.history(instance);
  if (history === undefined) {
    throw new Error(`There is no record of SecureNamespace ${SHOP} in namespace ${namespace}`);
  }
  screen.command(`kubectl get configmap ${history.name} -n ${namespace} -o jsonpath='{.data.history\\.txt}'`);
  for (const line of history.text.trimEnd().split("\n")) screen.say(line === "" ? "" : `  ${line}`);
}

async function deleteInstance(stage: Stage): Promise<void> {
  const { cluster, observer, screen, resource, names } = stage;
  const ref: ObjectRef = { ...resource, name: BILLING };
  const instance = await needed(cluster, ref);
  const uid = instance.metadata.uid ?? "";
  const objects = observer.nodes().find((node) => node.instance.metadata.uid === uid)?.children.length ?? 0;
  screen.step("A SecureNamespace is deleted");
  screen.say("What it owns goes in reverse order, its namespace last");
  screen.command(`kubectl delete sns ${BILLING}`);
  const started = performance.now();
  await cluster.remove(ref, uid);
  const node = () => observer.nodes().filter((one) => one.instance.metadata.uid === uid);
  await watchTree(stage, node, () => observer.instance(BILLING) === undefined, DELETE_LIMIT_MS);
  const took = since(started);
  const left = await Promise.all((await observer.kinds()).map(async (kind) => {
    const { items } = await cluster.client.list(kind, {
      labelSelector: `${names.owner}=${uid}`,
    });
    return items.map(({ object }) => refOf(object));
  }));
  if (left.flat().length > 0) {
    throw new Error(`${left.flat().length} objects of SecureNamespace ${BILLING} are left`);
  }
  screen.good(
    `All ${objects} objects and the SecureNamespace are gone after ${took} (the API server takes 5 s to end a namespace)`,
  );
  const last = observer.history(instance)?.text.split("\n", 1)[0];
  if (last !== undefined) screen.say(`Its history stays: ${last}`);
}

/** The tree, drawn at each change until it is as it should be. */
async function watchTree(
  stage: Stage,
  nodes: () => readonly TreeNode[],
  isDone: () => boolean,
  timeoutMs: number,
): Promise<void> {
  const { observer, screen } = stage;
  const draw = () => screen.picture(treeLines(nodes()));
  const end = observer.onChange(draw);
  try {
    draw();
    await observer.until(() => isDone() || undefined, {
      what: () => nodes().map(describe).join("; "),
      timeoutMs,
      signal: stage.signal,
    });
  } finally {
    end();
    screen.lastPicture(treeLines(nodes()));
  }
}

/** Ready by its status, and every object that it owns is ready by what we see ourselves. */
function isWhole({ instance, children }: TreeNode): boolean {
  const { counts } = statusOf(instance);
  return isReady(instance) && isJsonObject(counts) && counts.applied === children.length;
}

function describe({ instance, children }: TreeNode): string {
  const ready = conditionOf(instance, "Ready");
  const state = ready === undefined
    ? "has no status"
    : `Ready=${ready.status} (${ready.reason}: ${ready.message})`;
  return `${instance.metadata.name} ${state}, ${children.length} objects`;
}

function statusLines(instance: KubeObject): readonly string[] {
  const { observedGeneration, revision, counts, conditions, ...others } = statusOf(instance);
  const list = Array.isArray(conditions) ? conditions.filter(isJsonObject) : [];
  return [
    ...list.map((one) =>
      `${String(one.type)}=${String(one.status)}  ${String(one.reason)}: ${String(one.message)}`
    ),
    `observedGeneration: ${String(observedGeneration)}, revision: ${String(revision)}, counts: ${
      inline(counts)
    }`,
    ...Object.entries(others).filter(([, value]) => typeof value === "string").map(([key, value]) =>
      `${key}: ${String(value)}`
    ),
  ];
}

function inline(counts: JsonObject[string] | undefined): string {
  return isJsonObject(counts)
    ? Object.entries(counts).map(([key, value]) => `${value} ${key}`).join(", ")
    : "none";
}

function limits({ signal }: Stage, what: string): UntilOptions {
  return { what: () => what, timeoutMs: LIMIT_MS, signal };
}

async function needed(cluster: Cluster, ref: ObjectRef): Promise<KubeObject> {
  const object = await cluster.get(ref);
  if (object === undefined) throw new Error(`${ref.kind} ${ref.name} is not there`);
  return object;
}

function isObject(object: KubeObject, { kind, namespace, name }: ObjectRef): boolean {
  return object.kind === kind && object.metadata.namespace === namespace && object.metadata.name === name;
}

/** Time since a moment, for people: `23 ms`, `5.3 s`. */
export function since(started: number): string {
  const ms = performance.now() - started;
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
