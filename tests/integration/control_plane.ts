/**
 * What integration tests need of the control plane: the one that the whole run shares, kubectl on it, and names of their
 * own, since nothing else keeps them apart.
 *
 * `tools/with_control_plane.ts` starts it for a run and says where it is by the environment. When somebody runs a single
 * test file without that, the first call starts one and says so in the environment of the process, which all test files
 * share. It belongs to a process of its own that ends with this one, so the tests' sanitizers have nothing to find.
 */
import { fileURLToPath } from "node:url";
import { cacheRoot, exists, withLock } from "../../tools/control_plane/cache.ts";
import { runKubectl } from "../../tools/control_plane/kubectl.ts";

/** The control plane of this test run. It has an audit log (see `tools/control_plane/audit.ts`) and the CRDs of Cilium. */
export interface SharedControlPlane {
  /** File of a kubeconfig for an administrator. */
  readonly kubeconfigPath: string;
  /** The text of that file. */
  readonly kubeconfig: string;
  /** `https://127.0.0.1:PORT`. */
  readonly url: string;
  /** File of the audit log. */
  readonly auditLogPath: string;
}

const KUBECONFIG = "GENERIC_OPERATOR_TEST_KUBECONFIG";
const AUDIT_LOG = "GENERIC_OPERATOR_TEST_AUDIT_LOG";
const LOOK_MS = 100;

/** The control plane that all test files of this run share; the first call starts one when there is none. */
export async function sharedControlPlane(): Promise<SharedControlPlane> {
  if (!Deno.env.get(KUBECONFIG)) {
    await withLock(`${cacheRoot()}/shared-control-plane.lock`, async () => {
      if (!Deno.env.get(KUBECONFIG)) await startForThisProcess();
    });
  }
  const kubeconfigPath = Deno.env.get(KUBECONFIG) ?? "";
  const kubeconfig = await Deno.readTextFile(kubeconfigPath);
  const url = /server: (\S+)/.exec(kubeconfig)?.[1];
  if (url === undefined) throw new Error(`The kubeconfig ${kubeconfigPath} (${KUBECONFIG}) names no server`);
  return { kubeconfigPath, kubeconfig, url, auditLogPath: Deno.env.get(AUDIT_LOG) ?? "" };
}

/** A name (valid for namespaces, groups and all other objects) that no other test of this run has. */
export function uniqueName(prefix: string): string {
  return `${prefix}-${crypto.randomUUID().slice(0, 8)}`;
}

/** Runs kubectl on the shared control plane and returns its stdout. Throws an Error with its stderr when it fails. */
export async function kubectl(
  args: readonly string[],
  options: { readonly stdin?: string } = {},
): Promise<string> {
  const { kubeconfigPath } = await sharedControlPlane();
  return await runKubectl(args, { ...options, kubeconfig: kubeconfigPath });
}

/**
 * Starts `tools/controlplane.ts` in the background and puts what it prints into the environment. Its shell leaves it with
 * the system at once, so nothing of this process hangs on it.
 */
async function startForThisProcess(): Promise<void> {
  const program = fileURLToPath(new URL("../../tools/controlplane.ts", import.meta.url));
  const folder = await Deno.makeTempDir({ prefix: "generic-operator-shared-" });
  const args = ["run", "-A", program, "--audit-log", "--crds", "cilium", "--parent", `${Deno.pid}`];
  await new Deno.Command("sh", {
    args: [
      "-c",
      `{ "$@" >out 2>err; echo $? >ended; } </dev/null >/dev/null 2>&1 &`,
      "sh",
      Deno.execPath(),
      ...args,
    ],
    cwd: folder,
    detached: true,
  }).output();
  const printed = await waitForOutput(folder);
  await Deno.remove(folder, { recursive: true });
  for (const [, name, value = ""] of printed.matchAll(/^export (\w+)='(.*)'$/gm)) {
    if (name === "KUBECONFIG") Deno.env.set(KUBECONFIG, value);
    if (name === "AUDIT_LOG") Deno.env.set(AUDIT_LOG, value);
  }
}

async function waitForOutput(folder: string): Promise<string> {
  for (;;) {
    if (await exists(`${folder}/ended`)) {
      throw new Error(`The control plane did not start: ${await Deno.readTextFile(`${folder}/err`)}`);
    }
    const text = await exists(`${folder}/out`) ? await Deno.readTextFile(`${folder}/out`) : "";
    if (text.includes("AUDIT_LOG=") && text.endsWith("\n")) return text;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
