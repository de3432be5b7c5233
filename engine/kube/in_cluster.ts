/**
 * Access from inside a Pod: the API server of the environment, the authority and the token (which kubelet rotates) of the Pod's
 * service account.
 */
import { resolve } from "node:path";
import type { ClusterAccess } from "./access.ts";
import { UserCredentials } from "./credentials.ts";
import type { KubeConfigOptions } from "./kubeconfig.ts";
import { checkAuthority, isMissing, pemOf, readText } from "./pem.ts";

const SERVICE_ACCOUNT_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";

/** The access of the Pod that this process runs in; undefined outside of one. Throws KubeConfigError. */
export async function inClusterAccess(options: KubeConfigOptions): Promise<ClusterAccess | undefined> {
  const host = options.env("KUBERNETES_SERVICE_HOST");
  const port = options.env("KUBERNETES_SERVICE_PORT");
  if (!host || !port) return undefined;
  const folder = options.serviceAccountFolder ?? SERVICE_ACCOUNT_FOLDER;
  const entry = "the Pod's service account";
  const authority = await pemOf({
    data: undefined,
    file: "ca.crt",
    folder,
    field: "certificate-authority",
    entry,
  });
  if (authority !== undefined) checkAuthority(authority, `certificate-authority of ${entry}`);
  const cluster = {
    server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
    caCerts: authority === undefined ? [] : [authority],
  };
  const credentials = new UserCredentials({
    user: { name: entry },
    fields: { tokenFile: "token" },
    entry,
    folder,
    cluster,
    now: options.now ?? Date.now,
  });
  await credentials.check();
  const namespaceFile = resolve(folder, "namespace");
  const namespace = await isMissing(namespaceFile)
    ? ""
    : await readText(namespaceFile, `namespace of ${entry}`);
  return {
    ...cluster,
    namespace: namespace.trim() || "default",
    credentials: () => credentials.current(),
    forget: () => credentials.forget(),
  };
}
