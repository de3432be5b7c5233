/**
 * Who we are, asked before each request: what a user's entry says becomes headers and a client certificate. Token files are read
 * again every minute (kubelet and others rotate them), exec plugins run again when their answer expired.
 *
 * Exec plugins are run by client-node, loaded only when an entry has one.
 */
import type { User } from "@kubernetes/client-node/dist/config_types.js";
import { resolve } from "node:path";
import { isJsonObject, type JsonObject, stringifyJson } from "../meta/mod.ts";
import type { ClusterAccess, Credentials } from "./access.ts";
import { KubeConfigError } from "./errors.ts";
import { checkClientCertificate, pemOf, readText } from "./pem.ts";

/** A user's entry and where it stands. */
export interface UserCredentialsOptions {
  readonly user: User;
  /** All fields of the entry, also those that client-node does not read. */
  readonly fields: JsonObject;
  /** The entry's name for messages: `user "dev" of kubeconfig FILE`. */
  readonly entry: string;
  /** Relative files count from here. */
  readonly folder: string;
  /** What an exec plugin may be told of the cluster. */
  readonly cluster: Pick<ClusterAccess, "server" | "caCerts">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Files with credentials are read again after this time, in milliseconds. */
const REREAD_MS = 60_000;

/** The credentials of one user. */
export class UserCredentials {
  readonly #options: UserCredentialsOptions;
  #known: { readonly credentials: Promise<Credentials>; readonly until: number } | undefined;
  #plugin: Promise<ExecPlugin> | undefined;

  constructor(options: UserCredentialsOptions) {
    this.#options = options;
  }

  /** Refuses what cannot be honoured, and reads files once; an exec plugin is not run yet. Throws KubeConfigError. */
  async check(): Promise<void> {
    const { fields, user, entry } = this.#options;
    if (fields["auth-provider"] !== undefined) {
      throw new KubeConfigError(
        `auth-provider of ${entry} is not supported: use the exec plugin of your provider`,
      );
    }
    for (const field of ["as-groups", "as-uid", "as-user-extra"]) {
      if (fields[field] !== undefined) {
        throw new KubeConfigError(`${field} of ${entry} is not supported: impersonate with "as" alone`);
      }
    }
    if (!user.exec) await this.current();
  }

  /** What holds at this moment; asked by several at once, it is read once. Throws KubeConfigError. */
  current(): Promise<Credentials> {
    const { user, now } = this.#options;
    const started = now();
    if (this.#known !== undefined && started < this.#known.until) return this.#known.credentials;
    const known = { credentials: this.#read(), until: started + REREAD_MS };
    this.#known = known;
    const drop = () => {
      if (this.#known === known) this.#known = undefined;
    };
    // An exec plugin's answer has its own expiry, which the plugin's runner keeps.
    known.credentials.then(user.exec ? drop : undefined, drop);
    return known.credentials;
  }

  /** The next `current()` reads and asks anew. */
  forget(): void {
    this.#known = undefined;
    this.#plugin = undefined;
  }

  async #read(): Promise<Credentials> {
    const { user } = this.#options;
    const impersonation = user.impersonateUser ? { "Impersonate-User": user.impersonateUser } : {};
    if (user.exec) {
      const { headers, certificate } = await this.#ask();
      return {
        headers: { ...headers, ...impersonation },
        ...(certificate === undefined ? {} : { certificate }),
      };
    }
    const authorization = await this.#authorization();
    const certificate = await this.#certificate();
    return {
      headers: { ...(authorization === undefined ? {} : { Authorization: authorization }), ...impersonation },
      ...(certificate === undefined ? {} : { certificate }),
    };
  }

  /** A token file wins over a token, and both over a password, as in kubectl. */
  async #authorization(): Promise<string | undefined> {
    const { user, fields, entry, folder } = this.#options;
    const tokenFile = fields.tokenFile;
    if (typeof tokenFile === "string" && tokenFile !== "") {
      const token = (await readText(resolve(folder, tokenFile), `tokenFile of ${entry}`)).trim();
      if (token === "") {
        throw new KubeConfigError(`tokenFile of ${entry} is empty: ${resolve(folder, tokenFile)}`);
      }
      return `Bearer ${token}`;
    }
    if (user.token) return `Bearer ${user.token}`;
    if (!user.username) return undefined;
    return `Basic ${new TextEncoder().encode(`${user.username}:${user.password ?? ""}`).toBase64()}`;
  }

  async #certificate(): Promise<Credentials["certificate"]> {
    const { user, entry, folder } = this.#options;
    const cert = await pemOf({
      data: user.certData,
      file: user.certFile,
      folder,
      field: "client-certificate",
      entry,
    });
    const key = await pemOf({ data: user.keyData, file: user.keyFile, folder, field: "client-key", entry });
    if (cert === undefined && key === undefined) return undefined;
    if (key === undefined) throw new KubeConfigError(`${entry} has a client-certificate but no client-key`);
    if (cert === undefined) throw new KubeConfigError(`${entry} has a client-key but no client-certificate`);
    checkClientCertificate({ cert, key }, entry);
    return { cert, key };
  }

  async #ask(): Promise<Credentials> {
    const { user, entry } = this.#options;
    const command: unknown = isJsonObject(user.exec) ? user.exec.command : undefined;
    try {
      const plugin = await (this.#plugin ??= this.#loadPlugin());
      return await plugin();
    } catch (error) {
      this.#plugin = undefined;
      throw new KubeConfigError(`The exec plugin ${command} of ${entry} failed: ${pluginFault(error)}`, {
        cause: error,
      });
    }
  }

  async #loadPlugin(): Promise<ExecPlugin> {
    const { user, folder, cluster } = this.#options;
    const { ExecAuth } = await import("@kubernetes/client-node/dist/exec_auth.js");
    const runner = new ExecAuth();
    const described: User = { ...user, exec: describeExec(user.exec, folder, cluster) };
    return async () => {
      const answer: { headers: Record<string, string>; cert?: string; key?: string } = { headers: {} };
      await runner.applyAuthentication(described, answer);
      const { headers, cert, key } = answer;
      return { headers, ...(cert === undefined || key === undefined ? {} : { certificate: { cert, key } }) };
    };
  }
}

type ExecPlugin = () => Promise<Credentials>;

/** The first line of what went wrong; the plugin's runner meets an answer without status with a TypeError. */
function pluginFault(error: unknown): string {
  if (error instanceof TypeError) return "it printed no ExecCredential with a status";
  return (error instanceof Error ? error.message : String(error)).trim().split("\n", 1)[0] ?? "";
}

/** The entry as the plugin's runner wants it: command by its full path, and `KUBERNETES_EXEC_INFO`, which it does not set. */
function describeExec(exec: unknown, folder: string, cluster: UserCredentialsOptions["cluster"]): JsonObject {
  if (!isJsonObject(exec)) throw new Error("exec is no mapping");
  const { command, apiVersion, provideClusterInfo } = exec;
  if (typeof command !== "string" || command === "") throw new Error("exec has no command");
  const info = {
    apiVersion,
    kind: "ExecCredential",
    spec: {
      interactive: false,
      ...(provideClusterInfo === true ? { cluster: describeCluster(cluster) } : {}),
    },
  };
  const env: readonly unknown[] = Array.isArray(exec.env) ? exec.env : [];
  return {
    ...exec,
    command: command.includes("/") ? resolve(folder, command) : command,
    args: Array.isArray(exec.args) ? exec.args : [],
    env: [...env, { name: "KUBERNETES_EXEC_INFO", value: stringifyJson(info) }].filter(isJsonObject),
  };
}

function describeCluster({ server, caCerts }: UserCredentialsOptions["cluster"]): JsonObject {
  return {
    server,
    "certificate-authority-data": caCerts.length === 0 ? undefined : btoa(caCerts.join("\n")),
  };
}
