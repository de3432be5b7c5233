/**
 * The CRD of secure-namespace on a real API server, under a group of its own, so that no other test meets it; asked through kubectl,
 * as people do. The control plane is the shared one of the test run, or one for this test where there is none.
 */
import { controlPlanePrograms } from "../../tools/control_plane/build.ts";
import { type ControlPlane, startControlPlane } from "../../tools/control_plane/control_plane.ts";

const CRD = new URL("../../templates/secure-namespace/crd.yaml", import.meta.url);
const SHIPPED_GROUP = "secure-ns.example.com";

/** How kubectl ended. */
export interface Answer {
  readonly success: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** An API server that serves the CRD; disposing takes the CRD away again. */
export class CrdServer implements AsyncDisposable {
  /** The group under which the CRD is served. */
  readonly group: string;
  /** Name of the CRD; as a resource, `kubectl get <crdName>`. */
  readonly crdName: string;
  readonly #kubectl: string;
  readonly #kubeconfig: string;
  readonly #own: ControlPlane | undefined;

  private constructor(group: string, kubectl: string, kubeconfig: string, own: ControlPlane | undefined) {
    this.group = group;
    this.crdName = `securenamespaces.${group}`;
    this.#kubectl = kubectl;
    this.#kubeconfig = kubeconfig;
    this.#own = own;
  }

  /** Applies the CRD and waits until it is served. Throws with kubectl's words. */
  static async start(group: string): Promise<CrdServer> {
    const { kubectl } = await controlPlanePrograms();
    const shared = Deno.env.get("GENERIC_OPERATOR_TEST_KUBECONFIG");
    const own = shared ? undefined : await startControlPlane({ controllerManager: false });
    const server = new CrdServer(group, kubectl, shared ?? own?.kubeconfigPath ?? "", own);
    const shipped = await Deno.readTextFile(CRD);
    await server.must(
      ["apply", "--server-side", "-f", "-"],
      shipped.replace(`securenamespaces.${SHIPPED_GROUP}`, server.crdName).replace(
        `group: ${SHIPPED_GROUP}`,
        `group: ${group}`,
      ),
    );
    await server.must(["wait", "--for=condition=Established", `crd/${server.crdName}`]);
    return server;
  }

  /** Runs kubectl; objects of the shipped group in `stdin` are sent as those of this server's. */
  async kubectl(args: readonly string[], stdin = ""): Promise<Answer> {
    const child = new Deno.Command(this.#kubectl, {
      args: ["--kubeconfig", this.#kubeconfig, ...args],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    const text = stdin.replaceAll(`${SHIPPED_GROUP}/v1alpha1`, `${this.group}/v1alpha1`);
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
    const { success, stdout, stderr } = await child.output();
    const decoder = new TextDecoder();
    return { success, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  }

  /** Runs kubectl and returns what it printed. Throws with its words when it fails. */
  async must(args: readonly string[], stdin = ""): Promise<string> {
    const { success, stdout, stderr } = await this.kubectl(args, stdin);
    if (!success) throw new Error(`kubectl ${args.join(" ")} failed: ${stderr}`);
    return stdout;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kubectl(["delete", "crd", this.crdName, "--wait=false"]);
    await this.#own?.stop();
  }
}
