/**
 * A real control plane without nodes (they would add nothing that this project is about): etcd, kube-apiserver and
 * kube-controller-manager on free loopback ports, everything in a temporary folder. `settings.ts` says how they are set up;
 * here they are started in order, each once what it needs answers, and ended in reverse.
 */
import { controlPlanePrograms } from "./build.ts";
import type { Progress } from "./cache.ts";
import { Component } from "./component.ts";
import { freePorts } from "./ports.ts";
import { createRunFolder } from "./run_folder.ts";
import {
  apiServerArguments,
  controllerManagerArguments,
  etcdArguments,
  type Settings,
  writeSettings,
} from "./settings.ts";

/** How to start a control plane. */
export interface ControlPlaneOptions {
  /** Write an audit log of all requests (see `audit.ts`). Default false. */
  readonly auditLog?: boolean;
  /** Run kube-controller-manager: garbage collection, namespace deletion, quota, service accounts. Default true. */
  readonly controllerManager?: boolean;
  /** Takes lines for the person who waits. Default: none are given. */
  readonly onProgress?: Progress;
}

/** A running control plane. It ends with this process at the latest, however that ends. */
export interface ControlPlane extends AsyncDisposable {
  /** `https://127.0.0.1:PORT`. */
  readonly url: string;
  /** File of a kubeconfig for an administrator (group system:masters). */
  readonly kubeconfigPath: string;
  /** The text of that file. */
  readonly kubeconfig: string;
  /** File of the certificate authority (PEM). */
  readonly caPath: string;
  /** File of the audit log, when asked for. */
  readonly auditLogPath: string | undefined;
  /** Folder of data and logs (`etcd.log`, `kube-apiserver.log`, ...); gone after `stop()`. */
  readonly folder: string;
  /** Ends the API server as an update does (SIGTERM), and waits until it is gone. */
  stopApiServer(): Promise<void>;
  /** Starts it again, at the same address with the same data, and waits until it is ready. */
  startApiServer(): Promise<void>;
  /** Ends everything and removes the folder. */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 90_000;
const API_SERVER_GRACE_MS = 15_000;

/**
 * Starts a control plane and returns once it serves; builds the programs when they are not there yet.
 * Throws MissingProgramsError, or an Error with the end of the log of the program that did not start.
 *
 * ```ts
 * await using controlPlane = await startControlPlane({ auditLog: true });
 * ```
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const { auditLog = false, controllerManager = true, onProgress } = options;
  const programs = await controlPlanePrograms(onProgress === undefined ? {} : { onProgress });
  const runFolder = await createRunFolder();
  const folder = runFolder.path;
  const first = freePorts(4);
  const ports = { etcd: first, etcdPeer: first + 1, apiServer: first + 2, controllerManager: first + 3 };
  const settings = await writeSettings(folder, ports, auditLog);
  const component = (name: string, program: string, args: readonly string[]) =>
    new Component({ name, program, args, logPath: `${folder}/${name}.log` });
  const etcd = component("etcd", programs.etcd, etcdArguments(settings));
  const apiServer = component("kube-apiserver", programs.apiServer, apiServerArguments(settings));
  const manager = component(
    "kube-controller-manager",
    programs.controllerManager,
    controllerManagerArguments(settings),
  );
  const client = createClient(settings);

  const startApiServer = async () => {
    apiServer.start();
    await apiServer.waitUntil(() => answers(`${settings.url}/readyz`, client), START_TIMEOUT_MS);
  };
  const stop = async () => {
    for (const each of [manager, apiServer, etcd]) await each.stop(0); // nothing of it is kept, so nothing to finish
    client.close();
    await runFolder.remove();
  };
  try {
    etcd.start();
    await etcd.waitUntil(() => answers(`http://127.0.0.1:${ports.etcd}/health`, client), START_TIMEOUT_MS);
    await startApiServer();
    if (controllerManager) {
      manager.start();
      const serviceAccount = `${settings.url}/api/v1/namespaces/default/serviceaccounts/default`;
      await manager.waitUntil(() => answers(serviceAccount, client), START_TIMEOUT_MS); // its first visible work
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: settings.url,
    kubeconfigPath: `${folder}/kubeconfig`,
    kubeconfig: settings.kubeconfig,
    caPath: `${folder}/ca.crt`,
    auditLogPath: settings.auditLogPath,
    folder,
    startApiServer,
    stopApiServer: () => apiServer.stop(API_SERVER_GRACE_MS),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function createClient(settings: Settings): Deno.HttpClient {
  return Deno.createHttpClient({
    caCerts: [settings.authority],
    cert: settings.administrator.certificate,
    key: settings.administrator.privateKey,
  });
}

async function answers(url: string, client: Deno.HttpClient): Promise<boolean> {
  try {
    const response = await fetch(url, { client });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false; // nothing listens yet
  }
}
