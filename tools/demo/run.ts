/**
 * Everything around the story: a cluster, what it needs, the operator; then the story; then all of it taken away again, in reverse order, whatever
 * happened in between. A control plane of the demo's own goes as a whole; from a cluster of the user's own goes what the demo made, and nothing else.
 */
import { fileURLToPath } from "node:url";
import { type CrdName, formatRef, type KubeObject, ownNames, refOf } from "../../engine/mod.ts";
import { controlPlanePrograms } from "../control_plane/build.ts";
import { startControlPlane } from "../control_plane/control_plane.ts";
import type { DemoArguments } from "./arguments.ts";
import { type Cluster, connect } from "./cluster.ts";
import { install, instancesOf, planInstallation, uninstall } from "./installation.ts";
import { Observer } from "./observer.ts";
import { operatorArguments, type OperatorOptions, OperatorProcess } from "./operator.ts";
import type { Screen } from "./screen.ts";
import { playStory, readSamples, since } from "./story.ts";

/** What the process lends to the demo. */
export interface DemoProcess {
  readonly screen: Screen;
  /** Takes lines on stderr: progress of a build, and what went wrong. */
  readonly complain: (line: string) => void;
  /** Aborts when the person (or the system) wants an end; its reason is an Error. */
  readonly signal: AbortSignal;
}

/** A cluster to play on. */
interface Venue {
  readonly kubeconfig: string;
  readonly context?: string;
  /** It goes away with the demo, so nothing in it has to be removed. */
  readonly isOurs: boolean;
}

const TEMPLATES = fileURLToPath(new URL("../../templates/secure-namespace/", import.meta.url));
const CRD: CrdName = {
  group: "secure-ns.example.com",
  version: "v1alpha1",
  kind: "SecureNamespace",
  plural: "securenamespaces",
};
const NAMESPACE = "generic-operator-demo";
const LOG_LINES = 15;
const REMOVAL_MS = 90_000;

/** Runs the demo to its end and tidies up. Answers whether all went well; what did not was told to `complain`. */
export async function runDemo(demo: DemoArguments, process: DemoProcess): Promise<boolean> {
  const { screen, complain, signal } = process;
  const tidy = new AsyncDisposableStack();
  const started = performance.now();
  let isFine = true;
  const fail = (error: unknown) => {
    isFine = false;
    for (const line of errorLines(error)) complain(line);
  };
  try {
    await play(demo, process, tidy);
  } catch (error) {
    if (error === signal.reason) fail(error);
    else fail(new Error(`Step ${screen.currentStep} failed: ${messageOf(error)}`, { cause: error }));
  }
  screen.step("Tidying up");
  await tidy.disposeAsync().catch(fail);
  if (isFine) screen.good(`Done in ${since(started)}; nothing is left behind`);
  return isFine;
}

/** Puts what has to be undone on the stack as soon as it is there. */
async function play(demo: DemoArguments, process: DemoProcess, tidy: AsyncDisposableStack): Promise<void> {
  const { screen, signal } = process;
  const folder = await Deno.makeTempDir({ prefix: "generic-operator-demo-" });
  tidy.defer(() => Deno.remove(folder, { recursive: true }));
  const venue = await enterVenue(demo, process, tidy);
  const cluster = await connect(venue);
  tidy.defer(() => cluster.close());
  await prepare(cluster, venue, process, tidy);
  signal.throwIfAborted();

  const options: OperatorOptions = {
    implementation: `${TEMPLATES}operator`,
    kubeconfig: venue.kubeconfig,
    ...(venue.context === undefined ? {} : { context: venue.context }),
    namespace: NAMESPACE,
    logPath: `${folder}/operator.log`,
  };
  const operator = await startOperator(options, process, tidy);
  try {
    const resource = await cluster.mapper.resourceFor(CRD);
    const names = ownNames();
    const observer = await Observer.start({ cluster, resource, names, namespace: NAMESPACE });
    tidy.defer(() => observer.stop());
    const made: KubeObject[] = [];
    if (!venue.isOurs) tidy.defer(() => removeInstances(made, { cluster, observer, screen }));
    const stage = { cluster, observer, screen, names, resource, namespace: NAMESPACE, signal };
    await Promise.race([playStory({ ...stage, made: (object) => made.push(object) }), operator.ended()]);
    if (demo.keep) await keep(venue, { options, operator, process });
  } catch (error) {
    if (error !== signal.reason) await showLog(operator, process);
    throw error;
  }
}

async function enterVenue(
  { kubeconfig, context }: DemoArguments,
  { screen, complain, signal }: DemoProcess,
  tidy: AsyncDisposableStack,
): Promise<Venue> {
  if (kubeconfig !== undefined) {
    screen.step("A cluster of your own");
    return { kubeconfig, isOurs: false, ...(context === undefined ? {} : { context }) };
  }
  screen.step("A control plane: etcd, kube-apiserver and kube-controller-manager, on loopback");
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

async function prepare(
  cluster: Cluster,
  venue: Venue,
  { screen, complain }: DemoProcess,
  tidy: AsyncDisposableStack,
): Promise<void> {
  if (!venue.isOurs) await refuseOccupied(cluster);
  const plan = await planInstallation(cluster, {
    crdFile: `${TEMPLATES}crd.yaml`,
    namespace: NAMESPACE,
    ciliumCrds: venue.isOurs ? "all" : "used",
    onProgress: complain,
  });
  const missing = plan.missing.map(({ object }) => formatRef(refOf(object)));
  if (venue.isOurs) {
    screen.step("What the cluster must have: the CRD, Cilium's CRDs and a namespace for the operator");
    screen.command("kubectl create -f templates/secure-namespace/crd.yaml -f ...");
  } else {
    screen.say(
      `${cluster.server} (kubeconfig ${venue.kubeconfig}${
        venue.context ? `, context ${venue.context}` : ""
      })`,
    );
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
      await uninstall(cluster, made);
      screen.say(`Removed: ${made.map((object) => formatRef(refOf(object))).join(", ") || "nothing"}`);
    });
  }
  const started = performance.now();
  await install(cluster, plan, (object) => made.push(object));
  screen.good(`${made.length} objects made and served after ${since(started)}`);
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

async function startOperator(
  options: OperatorOptions,
  process: DemoProcess,
  tidy: AsyncDisposableStack,
): Promise<OperatorProcess> {
  const { screen, signal } = process;
  screen.step(
    "The operator, in a process of its own; all that it knows of SecureNamespaces are these templates",
  );
  screen.command(`generic-operator ${operatorArguments(options).join(" ")}`);
  const operator = new OperatorProcess(options);
  const started = performance.now();
  tidy.defer(async () => {
    const stopping = performance.now();
    await operator.stop();
    screen.say(`Operator stopped by SIGTERM after ${since(stopping)}`);
  });
  try {
    await unlessStopped(operator.start(), signal);
  } catch (error) {
    if (error !== signal.reason) await showLog(operator, process);
    throw error;
  }
  screen.good(`Serves after ${since(started)}`);
  return operator;
}

/** Leaves it running until the person has seen enough, which is no failure. */
async function keep(
  { kubeconfig, isOurs }: Venue,
  { options, operator, process }: {
    readonly options: OperatorOptions;
    readonly operator: OperatorProcess;
    readonly process: DemoProcess;
  },
): Promise<void> {
  const { screen, signal } = process;
  screen.step("Yours: all of it keeps running until Ctrl-C");
  const { kubectl } = await controlPlanePrograms();
  screen.say(`export KUBECONFIG='${kubeconfig}'`);
  if (isOurs) {
    screen.say(`export PATH="$PATH:${kubectl.slice(0, kubectl.lastIndexOf("/"))}"   # has a kubectl`);
  }
  screen.command("kubectl get sns");
  screen.command("kubectl delete resourcequota --all -n shop-dev; kubectl get resourcequota -n shop-dev");
  screen.say(`Templates are read again when they are saved: ${options.implementation}`);
  screen.say(`Log of the operator: ${options.logPath}`);
  screen.say(`To stop: Ctrl-C here, or kill ${Deno.pid}`);
  await unlessStopped(operator.ended(), signal).catch((error) => {
    if (error !== signal.reason) throw error;
  });
}

/** From a cluster that stays: the operator still runs, and takes away what the instances own. */
async function removeInstances(
  instances: readonly KubeObject[],
  { cluster, observer, screen }: {
    readonly cluster: Cluster;
    readonly observer: Observer;
    readonly screen: Screen;
  },
): Promise<void> {
  for (const instance of instances) await cluster.remove(refOf(instance), instance.metadata.uid ?? "");
  const left = () => instances.map(({ metadata }) => metadata.name).filter((name) => observer.instance(name));
  await observer.until(() => left().length === 0 || undefined, {
    what: () =>
      `SecureNamespaces are gone (left: ${
        left().join(", ")
      }); their finalizer goes once the operator runs again`,
    timeoutMs: REMOVAL_MS,
  });
  screen.say("SecureNamespaces and all that they owned are gone");
}

async function showLog(operator: OperatorProcess, { complain }: DemoProcess): Promise<void> {
  const lines = (await operator.log()).trimEnd().split("\n").slice(-LOG_LINES);
  complain("The operator's log ends with:");
  for (const line of lines) complain(`  ${line}`);
}

/** The work's result, or the signal's reason as soon as it aborts; the work itself goes on until the process ends. */
async function unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** Tidying goes on after a failure; JavaScript then nests what failed. */
function errorLines(error: unknown): readonly string[] {
  if (error instanceof SuppressedError) return [...errorLines(error.suppressed), ...errorLines(error.error)];
  return [messageOf(error)];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
