/**
 * The text of a kubeconfig with everything inside (no paths), so that it can be moved, shown, and handed to kubectl, to
 * client-go and to our own reader alike.
 */
import type { Identity } from "./certificates.ts";

/** How a client says who it is. */
export type KubeconfigUser = { readonly identity: Identity } | { readonly token: string };

/** What a kubeconfig is made of. `authority` is the PEM text of the certificate authority. */
export interface KubeconfigOptions {
  readonly url: string;
  readonly authority: string;
  readonly user: KubeconfigUser;
}

/** A kubeconfig (YAML) with one cluster, one user and one context, each named `generic-operator`. */
export function kubeconfigText(options: KubeconfigOptions): string {
  return `apiVersion: v1
kind: Config
current-context: generic-operator
clusters:
  - name: generic-operator
    cluster:
      server: ${options.url}
      certificate-authority-data: ${base64(options.authority)}
users:
  - name: generic-operator
    user:
${userLines(options.user)}
contexts:
  - name: generic-operator
    context:
      cluster: generic-operator
      user: generic-operator
`;
}

function userLines(user: KubeconfigUser): string {
  if ("token" in user) return `      token: ${user.token}`;
  return `      client-certificate-data: ${base64(user.identity.certificate)}
      client-key-data: ${base64(user.identity.privateKey)}`;
}

function base64(text: string): string {
  return new TextEncoder().encode(text).toBase64();
}
