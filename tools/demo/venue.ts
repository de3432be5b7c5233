/**
 * The cluster that the demo plays on, made ready for the operator: a control plane of its own, or a cluster of the user's. The second is only used when
 * nothing in it could come to harm, and what is made there is told before and taken away after.
 */
import { fileURLToPath } from "node:url";
import { type CrdName, formatRef, type KubeObject, refOf } from "../../engine/mod.ts";
import { controlPlanePrograms } from "../control_plane/build.ts";
import { startControlPlane } from "../control_plane/control_plane.ts";
import type { DemoArguments } from "./arguments.ts";
import type { Cluster } from "./cluster.ts";
import { install, instancesOf, planInstallation, uninstall } from "./installation.ts";
import { type DemoProcess, unlessStopped } from "./process.ts";
import { readSamples, since } from "./story.ts";

/** A cluster to play on. */
export interface Venue {
  readonly kubeconfig: string;
  readonly context?: string;
  /** It goes away with the demo, so nothing in it has to be removed. */
  readonly isOurs: boolean;
}

/** What the operator of the demo serves. */
export const CRD: CrdName = {
  group: "secure-ns.example.com",
  version: "v1alpha1",
  kind: "SecureNamespace",
  plural: "securenamespaces",
};
/** The operator's namespace. */
export const NAMESPACE = "generic-operator-demo";
const CRD_FILE = fileURLToPath(new URL("../../templates/secure-namespace/crd.yaml", import.meta.url));

/** Starts a control plane, or takes the cluster that the arguments name. */
export async function enterVenue(
  { kubeconfig, context }: DemoArguments,
  { screen, complain, signal }: DemoProcess,
  tidy: AsyncDisposableStack,
): Promise<Venue> {
  if (kubeconfig !== undefined) {
    screen.step("A cluster of your own");
    return { kubeconfig, isOurs: false, ...(context === undefined ? {} : { context }) };
  }
  screen.step("A control plane");
  screen.say(
    "etcd, kube-apiserver and kube-controller-manager on loopback; the first time they are built, about 5 minutes",
  );
  await unlessStopped(controlPlanePrograms({ onProgress: complain }), signal);
  const started = performance.now();
  const controlPlane = await startControlPlane({ onProgress: complain });
  tidy.defer(async () => {
    await controlPlane.stop();
    screen.say("Control plane stopped, its folder removed");
  });
  screen.good(`Serves at ${controlPlane.url} after ${since(started)}`);
  signal.throwIfAborted();
  return { kubeconfig: controlPlane.kubeconfigPath, isOurs: true };
}

/** Installs what is missing. Throws before anything is made when the place is taken. */
export async function prepare(
  cluster: Cluster,
  venue: Venue,
  { screen, complain }: DemoProcess,
  tidy: AsyncDisposableStack,
): Promise<void> {
  if (!venue.isOurs) await refuseOccupied(cluster);
  const plan = await planInstallation(cluster, {
    crdFile: CRD_FILE,
    namespace: NAMESPACE,
    ciliumCrds: venue.isOurs ? "all" : "used",
    onProgress: complain,
  });
  const missing = plan.missing.map(({ object }) => formatRef(refOf(object)));
  if (venue.isOurs) {
    screen.step("What the cluster needs");
    screen.say("The CRD of SecureNamespaces, those of Cilium, and a namespace for the operator");
    screen.command("kubectl create -f templates/secure-namespace/crd.yaml -f ...");
  } else {
    const context = venue.context === undefined ? "" : `, context ${venue.context}`;
    screen.say(`${cluster.server} (kubeconfig ${venue.kubeconfig}${context})`);
    for (const ref of missing) screen.say(`makes    ${ref}`);
    for (const ref of plan.present) screen.say(`uses     ${formatRef(ref)}, which is there`);
    for (const { object } of await readSamples()) {
      screen.say(`makes    ${formatRef(refOf(object))}, and what it owns`);
    }
    screen.say("and removes at the end all that it made");
  }
  const made: KubeObject[] = [];
  if (!venue.isOurs) {
    tidy.defer(async () => {
      await refuseLoss(cluster);
      await uninstall(cluster, made);
      screen.say(`Removed: ${made.map((object) => formatRef(refOf(object))).join(", ") || "nothing"}`);
    });
  }
  const started = performance.now();
  await install(cluster, plan, (object) => made.push(object));
  screen.good(`${made.length} objects made and served after ${since(started)}`);
}

/** Taking the CRD away would take instances with it that somebody made meanwhile, or whose operator failed to clean up. */
async function refuseLoss(cluster: Cluster): Promise<void> {
  const left = await instancesOf(cluster, CRD);
  if (left.length === 0) return;
  throw new Error(
    `${left.map(formatRef).join(", ")} still there, so the CRD and the namespace ${NAMESPACE} stay, too: ` +
      "delete them while an operator runs (or take off their finalizer), then what the demo made",
  );
}

/** The operator of the demo serves every instance in the cluster: there must be none but those of the demo. */
async function refuseOccupied(cluster: Cluster): Promise<void> {
  const instances = await instancesOf(cluster, CRD);
  if (instances.length > 0) {
    throw new Error(
      `There are ${instances.length} ${CRD.plural} already, and the demo's operator would take them over; ` +
        "nothing was changed: use a cluster without, or no --kubeconfig",
    );
  }
  const samples = (await readSamples()).map(({ object }) => object.metadata.name);
  for (const name of [NAMESPACE, ...samples]) {
    if (await cluster.get({ group: "", version: "v1", kind: "Namespace", name }) === undefined) continue;
    throw new Error(
      `There is a Namespace ${name} already, and the demo needs this name; nothing was changed: ` +
        "delete it, or use another cluster",
    );
  }
}
