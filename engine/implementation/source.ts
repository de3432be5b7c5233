/**
 * The port through which implementations come in: a folder on disk or ConfigMaps in a cluster look the same behind it.
 */
import type { Bundle, CrdName } from "./model.ts";

/** Where an implementation comes from. */
export interface TemplateSource {
  /** For messages and records: `folder:templates/my-thing/operator`, `configmap:my-system/my-thing`. */
  readonly name: string;
  /**
   * All of it, as it is now: read, parsed, every listed template present. Throws `ConfigError` with every problem found, or
   * the error of the disk or the API server; the caller then goes on with the bundle it has.
   */
  read(): Promise<Bundle>;
  /**
   * Calls `onChange` whenever `read()` may have something new, and once at the start (what changed since the last read would be
   * missed otherwise); where nothing is new the digest is the same. Ends when `signal` aborts.
   */
  run(signal: AbortSignal, onChange: () => void): Promise<void>;
}

/** What flags say about an implementation; it stands above what the implementation says itself. */
export interface SourceOptions {
  readonly crd?: Partial<CrdName>;
}
