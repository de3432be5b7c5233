/**
 * Files and inline data that a kubeconfig points to: text in, or a KubeConfigError of one line that names file and entry.
 */
import { X509Certificate } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { KubeConfigError } from "./errors.ts";

/** One of the pairs `X` (a file) and `X-data` (base64) of a kubeconfig; the data wins, as in kubectl. */
export interface PemSource {
  readonly data: string | null | undefined;
  readonly file: string | null | undefined;
  /** Relative files count from here. */
  readonly folder: string;
  /** Name of the field that points to a file. */
  readonly field: string;
  /** Whose field it is, for messages. */
  readonly entry: string;
}

/** The PEM text; undefined when the entry names none. */
export async function pemOf(source: PemSource): Promise<string | undefined> {
  const { data, file, folder, field, entry } = source;
  if (data) return decodePem(data, source);
  if (!file) return undefined;
  const text = await readText(resolve(folder, file), `${field} of ${entry}`);
  if (!text.includes("-----BEGIN ")) {
    throw new KubeConfigError(`${field} of ${entry} is no PEM file: ${resolve(folder, file)}`);
  }
  return text;
}

function decodePem(data: string, { field, entry }: PemSource): string {
  try {
    const text = atob(data.trim());
    if (text.includes("-----BEGIN ")) return text;
  } catch {
    // Not base64: refused below, with the same words.
  }
  throw new KubeConfigError(`${field}-data of ${entry} is not valid: it has to be PEM, encoded as base64`);
}

/** Refuses what is no certificate: Deno would only say so at the first request. */
export function checkAuthority(pem: string, what: string): void {
  try {
    new X509Certificate(pem);
  } catch (error) {
    throw new KubeConfigError(`${what} is not valid: it holds no certificate that can be read`, {
      cause: error,
    });
  }
}

/** Refuses a client certificate or key that Deno cannot use. */
export function checkClientCertificate(
  pair: { readonly cert: string; readonly key: string },
  entry: string,
): void {
  try {
    Deno.createHttpClient(pair).close();
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    throw new KubeConfigError(`The client certificate of ${entry} is not valid: ${fault}`, { cause: error });
  }
}

/** The text of a file. `what` it is stands at the front of the message when it cannot be read. */
export async function readText(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new KubeConfigError(`Cannot read ${what}: ${path}: ${faultOf(error)}`, { cause: error });
  }
}

/** True when there is no such file. */
export async function isMissing(path: string): Promise<boolean> {
  try {
    await stat(path);
    return false;
  } catch (error) {
    return codeOf(error) === "ENOENT";
  }
}

function faultOf(error: unknown): string {
  switch (codeOf(error)) {
    case "ENOENT":
      return "no such file";
    case "EACCES":
      return "permission denied";
    case "EISDIR":
      return "it is a folder";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
