/**
 * From kubeconfig files, or from inside a Pod, to a ClusterAccess: which cluster, whom to trust, who we are.
 *
 * Files are read and merged as kubectl does it (the first to name something wins; client-node's own merge refuses doubles). What
 * cannot be honoured is refused by name, never left out.
 */
import { newClusters, newContexts, newUsers } from "@kubernetes/client-node/dist/config_types.js";
import type { Cluster, Context, User } from "@kubernetes/client-node/dist/config_types.js";
import { dirname, resolve } from "node:path";
import { isJsonObject, type JsonObject } from "../meta/mod.ts";
import { readDocuments, YamlError } from "../yaml/mod.ts";
import type { ClusterAccess } from "./access.ts";
import { UserCredentials } from "./credentials.ts";
import { KubeConfigError } from "./errors.ts";
import { inClusterAccess } from "./in_cluster.ts";
import { checkAuthority, isMissing, pemOf, readText } from "./pem.ts";

/** Where to look. */
export interface KubeConfigOptions {
  /** An explicit file; only this one is read. */
  readonly path?: string;
  /** Context to use; default: the `current-context` of the first file that has one. */
  readonly context?: string;
  /** The environment: `KUBECONFIG`, `HOME`, `HTTPS_PROXY`, `KUBERNETES_SERVICE_HOST`, ... */
  readonly env: (name: string) => string | undefined;
  /** Folder of the Pod's service account. Default `/var/run/secrets/kubernetes.io/serviceaccount`. */
  readonly serviceAccountFolder?: string;
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: () => number;
}

/** An entry of a kubeconfig, with the fields that client-node does not read. */
interface Entry<T> {
  readonly value: T;
  readonly fields: JsonObject;
  readonly file: string;
}

interface Entries {
  readonly clusters: readonly Entry<Cluster>[];
  readonly users: readonly Entry<User>[];
  readonly contexts: readonly Entry<Context>[];
  readonly currentContext: string | undefined;
}

/**
 * Access to a cluster: by the explicit file, else by the files of `KUBECONFIG`, else by `~/.kube/config`, else as the Pod's service
 * account. Throws KubeConfigError that names file and entry.
 */
export async function loadKubeConfig(options: KubeConfigOptions): Promise<ClusterAccess> {
  const files = await configFiles(options);
  if (files.length > 0) return await accessFrom(files, options);
  const inside = await inClusterAccess(options);
  if (inside !== undefined) return inside;
  throw new KubeConfigError(
    "No kubeconfig found: give --kubeconfig FILE, set KUBECONFIG, or put one at ~/.kube/config " +
      "(and this is no Pod: KUBERNETES_SERVICE_HOST is not set)",
  );
}

async function configFiles({ path, env }: KubeConfigOptions): Promise<readonly string[]> {
  if (path !== undefined) return [path];
  const listed = (env("KUBECONFIG") ?? "").split(":").filter((name) => name !== "");
  if (listed.length > 0) {
    const missing = await Promise.all(listed.map(isMissing));
    const found = listed.filter((_, index) => !missing[index]);
    if (found.length > 0) return found;
    throw new KubeConfigError(`KUBECONFIG names no file that exists: ${listed.join(", ")}`);
  }
  const home = env("HOME");
  if (home === undefined) return [];
  const standard = resolve(home, ".kube/config");
  return await isMissing(standard) ? [] : [standard];
}

async function accessFrom(files: readonly string[], options: KubeConfigOptions): Promise<ClusterAccess> {
  const parsed = await Promise.all(files.map(readEntries));
  const where = files.length === 1 ? `kubeconfig ${files[0]}` : `kubeconfigs ${files.join(", ")}`;
  const contextName = options.context ?? parsed.map((file) => file.currentContext).find(Boolean);
  if (contextName === undefined) {
    throw new KubeConfigError(`No current-context in ${where}: name one with --context`);
  }
  const context = find(parsed.flatMap((file) => file.contexts), contextName, `context`, where);
  const inContext = `${where}, context "${contextName}"`;
  const cluster = find(parsed.flatMap((file) => file.clusters), context.value.cluster, `cluster`, inContext);
  const user = context.value.user
    ? find(parsed.flatMap((file) => file.users), context.value.user, `user`, inContext)
    : undefined;
  const trust = await trustOf(cluster);
  const credentials = new UserCredentials({
    user: user?.value ?? { name: "" },
    fields: user?.fields ?? {},
    entry: `user "${user?.value.name ?? ""}" of kubeconfig ${user?.file ?? context.file}`,
    folder: dirname(resolve(user?.file ?? context.file)),
    cluster: trust,
    now: options.now ?? Date.now,
  });
  await credentials.check();
  return {
    ...trust,
    namespace: context.value.namespace ?? "default",
    credentials: () => credentials.current(),
    forget: () => credentials.forget(),
  };
}

/** The half of an access that the cluster's entry says. */
async function trustOf(
  { value, file }: Entry<Cluster>,
): Promise<Pick<ClusterAccess, "server" | "caCerts" | "proxyUrl">> {
  const entry = `cluster "${value.name}" of kubeconfig ${file}`;
  checkServer(value.server, entry);
  if (value.skipTLSVerify) {
    throw new KubeConfigError(
      `insecure-skip-tls-verify of ${entry} is not supported: put the certificate of its CA into ` +
        `certificate-authority-data (kubectl config set-cluster ${value.name} --certificate-authority=FILE --embed-certs)`,
    );
  }
  const proxyUrl = value.proxyUrl || undefined;
  if (proxyUrl !== undefined && !/^(https?|socks5h?):\/\//.test(proxyUrl)) {
    throw new KubeConfigError(
      `proxy-url of ${entry} is not supported: "${proxyUrl}" is no http, https or socks5 URL`,
    );
  }
  if (value.tlsServerName) {
    throw new KubeConfigError(
      `tls-server-name of ${entry} is not supported: write that name into server ("https://${value.tlsServerName}:PORT") ` +
        "and let it resolve to the API server, by DNS or the hosts file",
    );
  }
  const field = "certificate-authority";
  const authority = await pemOf({
    data: value.caData,
    file: value.caFile,
    folder: dirname(resolve(file)),
    field,
    entry,
  });
  if (authority !== undefined) checkAuthority(authority, `${field} of ${entry}`);
  return {
    server: value.server,
    caCerts: authority === undefined ? [] : [authority],
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
  };
}

function checkServer(server: string, entry: string): void {
  const url = URL.parse(server);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new KubeConfigError(`server of ${entry} is not valid: "${server}" is no http or https URL`);
  }
}

function find<T extends { readonly name: string }>(
  entries: readonly Entry<T>[],
  name: string,
  what: string,
  where: string,
): Entry<T> {
  const found = entries.find((entry) => entry.value.name === name);
  if (found !== undefined) return found;
  const names = [...new Set(entries.map((entry) => entry.value.name))].join(", ") || "none";
  throw new KubeConfigError(`No ${what} "${name}" in ${where} (there: ${names})`);
}

async function readEntries(file: string): Promise<Entries> {
  const text = await readText(file, "kubeconfig");
  try {
    const root = readDocuments(text)[0]?.value ?? {};
    if (!isJsonObject(root)) throw new TypeError("it holds no mapping");
    return {
      clusters: withFields(newClusters(root.clusters), root.clusters, { key: "cluster", file }),
      users: withFields(newUsers(root.users), root.users, { key: "user", file }),
      contexts: withFields(newContexts(root.contexts), root.contexts, { key: "context", file }),
      currentContext: typeof root["current-context"] === "string" ? root["current-context"] : undefined,
    };
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    const line = error instanceof YamlError ? `line ${error.line}: ` : "";
    throw new KubeConfigError(`Kubeconfig ${file} is not valid: ${line}${fault}`, { cause: error });
  }
}

function withFields<T>(
  values: readonly T[],
  raw: unknown,
  { key, file }: { readonly key: string; readonly file: string },
): readonly Entry<T>[] {
  const raws: readonly unknown[] = Array.isArray(raw) ? raw : [];
  return values.map((value, index) => {
    const item = raws[index];
    const fields = isJsonObject(item) ? item[key] : undefined;
    return { value, fields: isJsonObject(fields) ? fields : {}, file };
  });
}
