/**
 * What operator mode is told from outside: main.ts makes it from flags and environment, tests write it by hand.
 */
import type { CrdName } from "../../engine/mod.ts";

/** Settings of operator mode. */
export interface OperatorSettings {
  /** Each a folder, or `configmap:NAMESPACE/NAME`. At least one. */
  readonly implementations: readonly string[];
  /** Stands above what an implementation says itself. */
  readonly crd?: Partial<CrdName>;
  /** Path of a kubeconfig; absent: KUBECONFIG, ~/.kube/config, or in-cluster. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Where records are kept; absent: the namespace of the kubeconfig's context or of the pod, else `default`. */
  readonly namespace?: string;
  /** Domain of the engine's labels, annotations and finalizer. */
  readonly domain: string;
  /** Instances of one implementation reconciled at the same time. */
  readonly workers: number;
  /** Port of the health and metrics server on all addresses; absent: none. */
  readonly healthPort?: number;
  /** How long the API server may be out of reach at the start, in milliseconds, before the process gives up. */
  readonly startupTimeoutMs: number;
  readonly version: string;
}
