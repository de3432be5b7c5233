/** The API server: credentials, transport, the verbs, discovery and errors. The door of the folder. */
export * from "./builtin.ts";
export * from "./client.ts";
export * from "./discovery.ts";
export * from "./errors.ts";
export { type KubeConfigOptions, loadKubeConfig } from "./kubeconfig.ts";
export type { ClusterAccess, Credentials } from "./access.ts";
export { Transport, type TransportOptions } from "./transport.ts";
export { HttpKubeClient } from "./http_client.ts";
export { DiscoveryRestMapper, type DiscoveryRestMapperOptions } from "./rest_mapper.ts";
