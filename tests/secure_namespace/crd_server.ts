/**
 * The CRD of secure-namespace on the control plane of the test run, under a group of its own, so that no other test meets it; asked
 * through kubectl, as people do.
 */
import { kubectl, uniqueName } from "../integration/control_plane.ts";

const CRD = new URL("../../templates/secure-namespace/crd.yaml", import.meta.url);
const SHIPPED_GROUP = "secure-ns.example.com";

/** An API server that serves the CRD; disposing takes the CRD away again. */
export class CrdServer implements AsyncDisposable {
  /** The group under which the CRD is served. */
  readonly group = `${uniqueName("crd")}.example.com`;
  /** Name of the CRD; as a resource, `kubectl get <crdName>`. */
  readonly crdName = `securenamespaces.${this.group}`;

  /** Applies the CRD and waits until it is served. Throws with kubectl's words. */
  static async start(): Promise<CrdServer> {
    const server = new CrdServer();
    const shipped = await Deno.readTextFile(CRD);
    const own = shipped.replace(`securenamespaces.${SHIPPED_GROUP}`, server.crdName)
      .replace(`group: ${SHIPPED_GROUP}`, `group: ${server.group}`);
    await server.run(["apply", "--server-side", "-f", "-"], own);
    await server.run(["wait", "--for=condition=Established", `crd/${server.crdName}`]);
    return server;
  }

  /** Runs kubectl; objects of the shipped group in `stdin` are sent as those of this server's. Throws with kubectl's words. */
  async run(args: readonly string[], stdin = ""): Promise<string> {
    const own = stdin.replaceAll(`${SHIPPED_GROUP}/v1alpha1`, `${this.group}/v1alpha1`);
    return await kubectl(args, { stdin: own });
  }

  /** Runs kubectl, and returns its words when it fails; empty text when it does not. */
  async complaint(args: readonly string[], stdin = ""): Promise<string> {
    return await this.run(args, stdin).then(() => "", (error: unknown) => String(error));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.run(["delete", "crd", this.crdName, "--wait=false"]);
  }
}
