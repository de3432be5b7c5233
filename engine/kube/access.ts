/**
 * What is needed to talk to one API server: where it is, whom to trust, and who we are. `kubeconfig.ts` makes it, `transport.ts`
 * uses it; between them stands only this data and one question, because credentials change while the process runs.
 */

/** Who we are, at this moment. */
export interface Credentials {
  /** Request headers: `Authorization`, `Impersonate-User`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Client certificate and its key, PEM. */
  readonly certificate?: { readonly cert: string; readonly key: string };
}

/** One API server and how to be let in. */
export interface ClusterAccess {
  /** `https://host:port`, with a path where the server has one; no slash at the end. */
  readonly server: string;
  /** Certificates of authorities to trust, PEM, in addition to those of the system. */
  readonly caCerts: readonly string[];
  /** Proxy named by the kubeconfig. Absent: `HTTPS_PROXY` and `NO_PROXY` decide. */
  readonly proxyUrl?: string;
  /** Namespace of the context, or of the Pod; `default` when it names none. */
  readonly namespace: string;
  /** Fresh credentials: token files are read again, exec plugins asked again when their answer expired. Throws KubeConfigError. */
  credentials(): Promise<Credentials>;
  /** Call it when the server answered 401: the next `credentials()` reads and asks anew. */
  forget(): void;
}
