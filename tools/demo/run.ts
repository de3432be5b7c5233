/**
 * Everything around the story: a cluster, what it needs, the operator; then the story; then all of it taken away again, in reverse order, whatever
 * happened in between. A control plane of the demo's own goes as a whole; from a cluster of the user's own goes what the demo made, and nothing else.
 */
import { fileURLToPath } from "node:url";
import { type KubeObject, ownNames, refOf } from "../../engine/mod.ts";
import { controlPlanePrograms } from "../control_plane/build.ts";
import type { DemoArguments } from "./arguments.ts";
import { type Cluster, connect } from "./cluster.ts";
import { Observer } from "./observer.ts";
import { operatorArguments, type OperatorOptions, OperatorProcess } from "./operator.ts";
import { type DemoProcess, unlessStopped } from "./process.ts";
import type { Screen } from "./screen.ts";
import { playStory, since } from "./story.ts";
import { CRD, enterVenue, NAMESPACE, prepare, type Venue } from "./venue.ts";

const IMPLEMENTATION = fileURLToPath(new URL("../../templates/secure-namespace/operator", import.meta.url));
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
  const folder = await Deno.makeTempDir({ prefix: "generic-operator-demo-" });
  tidy.defer(() => Deno.remove(folder, { recursive: true }));
  const logPath = `${folder}/operator.log`;
  try {
    await play(demo, { ...process, logPath }, tidy);
  } catch (error) {
    if (error === signal.reason) {
      fail(error);
    } else {
      fail(new Error(`Step ${screen.currentStep} failed: ${messageOf(error)}`, { cause: error }));
      await showLog(logPath, complain);
    }
  }
  screen.step("Tidying up");
  await tidy.disposeAsync().catch(fail);
  if (isFine) screen.good(`Done in ${since(started)}; nothing is left behind`);
  return isFine;
}

/** Puts what has to be undone on the stack as soon as it is there. */
async function play(
  demo: DemoArguments,
  process: DemoProcess & { readonly logPath: string },
  tidy: AsyncDisposableStack,
): Promise<void> {
  const { screen, signal, logPath } = process;
  const venue = await enterVenue(demo, process, tidy);
  const cluster = await connect(venue);
  tidy.defer(() => cluster.close());
  await prepare(cluster, venue, process, tidy);
  signal.throwIfAborted();

  const options: OperatorOptions = {
    implementation: IMPLEMENTATION,
    kubeconfig: venue.kubeconfig,
    ...(venue.context === undefined ? {} : { context: venue.context }),
    namespace: NAMESPACE,
    logPath,
  };
  const operator = await startOperator(options, process, tidy);
  const resource = await cluster.mapper.resourceFor(CRD);
  const names = ownNames();
  const observer = await Observer.start({ cluster, resource, names, namespace: NAMESPACE });
  tidy.defer(() => observer.stop());
  const made: KubeObject[] = [];
  if (!venue.isOurs) tidy.defer(() => removeInstances(made, { cluster, observer, screen }));
  const ended = new AbortController();
  operator.ended().catch((error) => ended.abort(error));
  await playStory({
    cluster,
    observer,
    screen,
    names,
    resource,
    namespace: NAMESPACE,
    made: (instance) => made.push(instance),
    signal: AbortSignal.any([signal, ended.signal]),
  });
  if (demo.keep) await keep(venue, { options, operator, process });
}

async function startOperator(
  options: OperatorOptions,
  process: DemoProcess,
  tidy: AsyncDisposableStack,
): Promise<OperatorProcess> {
  const { screen, signal } = process;
  screen.step("The operator");
  screen.say("A process of its own. All that it knows of SecureNamespaces are the templates in this folder");
  screen.command(`deno task start ${operatorArguments(options).join(" ")}`);
  const operator = new OperatorProcess(options);
  const started = performance.now();
  tidy.defer(async () => {
    const stopping = performance.now();
    await operator.stop();
    screen.say(`Operator stopped, ${since(stopping)} after SIGTERM`);
  });
  await unlessStopped(operator.start(), signal);
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
  screen.say(`export KUBECONFIG='${kubeconfig}'`);
  if (isOurs) {
    const { kubectl } = await controlPlanePrograms();
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

/** The end of the operator's log, if it has written one. */
async function showLog(logPath: string, complain: (line: string) => void): Promise<void> {
  const log = await Deno.readTextFile(logPath).catch(() => "");
  if (log === "") return;
  complain("The operator's log ends with:");
  for (const line of log.trimEnd().split("\n").slice(-LOG_LINES)) complain(`  ${line}`);
}

/** Tidying goes on after a failure; JavaScript then nests what failed. */
function errorLines(error: unknown): readonly string[] {
  if (error instanceof SuppressedError) return [...errorLines(error.suppressed), ...errorLines(error.error)];
  return [messageOf(error)];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
