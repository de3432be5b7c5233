/**
 * Operator mode: settings in, a running process out. Connects to the API server, starts an operator for each implementation, serves probes, and
 * ends when the signal aborts and everything under way is finished.
 */
import {
  ApiError,
  CagedRenderer,
  type ClusterAccess,
  CONFIG_MAPS,
  ConfigError,
  configMapReader,
  ConfigMapSource,
  DiscoveryRestMapper,
  FolderSource,
  HttpKubeClient,
  InformerSet,
  type KubeClient,
  loadKubeConfig,
  type Logger,
  ownNames,
  pause,
  PrometheusMetrics,
  type RestMapper,
  serveHealth,
  type TemplateSource,
  Transport,
  withFields,
} from "../../engine/mod.ts";
import { ImplementationOperator } from "./implementation_operator.ts";
import type { OperatorSettings } from "./settings.ts";

/** What the process lends to operator mode. */
export interface OperatorProcess {
  readonly env: (name: string) => string | undefined;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** How long requests under way may take when the process stops, in milliseconds. */
const GRACE_MS = 10_000;

/** Pause between two tries to reach the API server at the start, in milliseconds. */
const REACH_RETRY_MS = 1_000;

/**
 * Runs until the signal. Throws what a person has to mend: KubeConfigError, ConfigError (a folder that is not there), ApiError (out of reach,
 * forbidden).
 */
export async function runOperator(settings: OperatorSettings, process: OperatorProcess): Promise<void> {
  const { env, log } = process;
  const access = await loadKubeConfig({
    env,
    ...(settings.kubeconfig === undefined ? {} : { path: settings.kubeconfig }),
    ...(settings.context === undefined ? {} : { context: settings.context }),
  });
  const ended = new AbortController();
  const signal = AbortSignal.any([process.signal, ended.signal]);
  const metrics = new PrometheusMetrics();
  const transport = new Transport(access, { userAgent: `generic-operator/${settings.version}` });
  const operators: ImplementationOperator[] = [];
  let hardStop: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener("abort", () => {
    hardStop = setTimeout(() => transport.abort(), GRACE_MS);
  }, { once: true });
  const health = settings.healthPort === undefined ? Promise.resolve() : serveHealth({
    port: settings.healthPort,
    metrics,
    signal,
    isReady: () => operators.length > 0 && operators.every((operator) => operator.isReady),
    onListen: (port) => log.info("Health server listens", { port }),
  });
  try {
    const mapper = new DiscoveryRestMapper(transport);
    await reach(mapper, access, settings.startupTimeoutMs, { ...process, signal });
    const client = new HttpKubeClient(transport);
    const served = new Map<string, string>();
    for (const implementation of settings.implementations) {
      await checkFolder(implementation);
      operators.push(operatorFor(implementation, { settings, access, client, mapper, metrics, log, served }));
    }
    // The first that fails ends the process; the others finish what is under way before connections close.
    const running = operators.map((operator) => operator.run(signal).finally(() => ended.abort()));
    await Promise.allSettled(running);
    await Promise.all(running);
  } finally {
    ended.abort();
    await health;
    clearTimeout(hardStop);
    transport.close();
    log.info("Stopped");
  }
}

/** Waits for the API server, but not for ever: a wrong address should not look like patience. */
async function reach(
  mapper: RestMapper,
  access: ClusterAccess,
  timeoutMs: number,
  { log, signal }: OperatorProcess,
): Promise<void> {
  const until = performance.now() + timeoutMs;
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      await mapper.resourceFor(CONFIG_MAPS);
      return;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 0 && error.code < 500) throw error;
      if (performance.now() >= until) throw error;
      if (attempt === 1) {
        log.warn(
          `API server ${access.server} is out of reach, tries for ${timeoutMs / 1000} s: ${error.message}`,
        );
      }
    }
    await pause(REACH_RETRY_MS, signal);
  }
}

interface Shared {
  readonly settings: OperatorSettings;
  readonly access: ClusterAccess;
  readonly client: KubeClient;
  readonly mapper: RestMapper;
  readonly metrics: PrometheusMetrics;
  readonly log: Logger;
  /** Name of a CRD → the implementation that serves it. */
  readonly served: Map<string, string>;
}

function operatorFor(implementation: string, shared: Shared): ImplementationOperator {
  const { settings, access, client, mapper, metrics } = shared;
  const log = settings.implementations.length > 1 ? withFields(shared.log, { implementation }) : shared.log;
  return new ImplementationOperator({
    client,
    mapper,
    metrics,
    log,
    source: sourceFor(implementation, { ...shared, log }),
    renderer: new CagedRenderer(),
    crd: settings.crd ?? {},
    names: ownNames(settings.domain),
    namespace: settings.namespace ?? access.namespace,
    version: settings.version,
    workers: settings.workers,
    claim: (crd) => {
      const other = shared.served.get(crd);
      if (other !== undefined) {
        const message =
          `Serves ${crd}, which ${other} serves already: two would take each other's objects away`;
        throw new ConfigError([{ file: implementation, key: "crd", message }]);
      }
      shared.served.set(crd, implementation);
    },
  });
}

/** A folder that is not there will not come by waiting; a ConfigMap may. */
async function checkFolder(implementation: string): Promise<void> {
  if (implementation.startsWith("configmap:")) return;
  for (const file of ["implementation.yaml", "templates-order.yaml"]) {
    const found = await Deno.stat(`${implementation}/${file}`).then(() => true, () => false);
    if (found) return;
  }
  throw new ConfigError([{
    file: implementation,
    message:
      "No implementation there: --implementation needs a folder with implementation.yaml, or configmap:NAMESPACE/NAME",
  }]);
}

function sourceFor(implementation: string, { settings, client, log, metrics }: Shared): TemplateSource {
  const crd = settings.crd === undefined ? {} : { crd: settings.crd };
  if (!implementation.startsWith("configmap:")) return new FolderSource(implementation, crd);
  const [namespace, configMap, ...rest] = implementation.slice("configmap:".length).split("/");
  if (!namespace || !configMap || rest.length > 0) {
    throw new ConfigError([{
      file: implementation,
      message: "Write --implementation configmap:NAMESPACE/NAME, or the path of a folder",
    }]);
  }
  const reader = configMapReader(
    client,
    namespace,
    (signal) => new InformerSet({ client, log, metrics, signal }),
  );
  return new ConfigMapSource({ namespace, configMap, reader, ...crd });
}
