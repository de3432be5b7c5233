/**
 * A client on the shared control plane, closed when its scope ends, and a namespace of one's own: for the tests of engine/kube.
 */
import { type ClusterAccess, HttpKubeClient, loadKubeConfig, Transport } from "../../engine/kube/mod.ts";
import { kubectl, sharedControlPlane, uniqueName } from "./control_plane.ts";

/** A client and what it speaks through. */
export interface Connection extends AsyncDisposable {
  readonly client: HttpKubeClient;
  readonly transport: Transport;
}

/** A client for an access. */
export function connect(access: ClusterAccess): Promise<Connection> {
  const transport = new Transport(access);
  return Promise.resolve({
    client: new HttpKubeClient(transport),
    transport,
    [Symbol.asyncDispose]: () => Promise.resolve(transport.close()),
  });
}

/** The administrator's access. */
export async function adminAccess(): Promise<ClusterAccess> {
  const { kubeconfigPath } = await sharedControlPlane();
  return await loadKubeConfig({ path: kubeconfigPath, env: () => undefined });
}

/** A client with the administrator's access. */
export async function adminConnection(): Promise<Connection> {
  return await connect(await adminAccess());
}

/** Makes a namespace that no other test uses. */
export async function freshNamespace(): Promise<string> {
  const namespace = uniqueName("kube");
  await kubectl(["create", "namespace", namespace]);
  return namespace;
}
