/** Bundles and requests for tests of rendering. */
import type { Bundle, Implementation } from "../../implementation/mod.ts";
import type { RenderRequest } from "../renderer.ts";

const CRD = { group: "toys.example.org", version: "v1", kind: "Toy", plural: "toys" };

/** A bundle whose templates are all that is in `sources`, unless `more` says otherwise. */
export function bundleOf(
  sources: Readonly<Record<string, string>>,
  more: Partial<Implementation> = {},
): Bundle {
  const implementation: Implementation = {
    name: "toys",
    crd: CRD,
    language: "jinja2",
    undefined: "lenient",
    values: [],
    watch: [],
    templates: Object.keys(sources),
    jobs: [],
    resyncMs: 36_000_000,
    history: { limit: 100 },
    namespaces: [],
    limits: { renderMs: 2000, outputBytes: 4 * 1024 * 1024 },
    options: { trimBlocks: false, lstripBlocks: false },
    ...more,
  };
  return { implementation, sources: new Map(Object.entries(sources)), digest: "" };
}

/** A request for an instance of this name. `instance` adds to it, `more` to the request. */
export function requestFor(
  name: string,
  instance: Readonly<Record<string, unknown>> = {},
  more: Partial<RenderRequest> = {},
): RenderRequest {
  const object = { apiVersion: "toys.example.org/v1", kind: "Toy", metadata: { name }, ...instance };
  return {
    instance: JSON.stringify(object),
    engine: {
      revision: 3,
      revisionTimestamp: "2026-01-02T03:04:05Z",
      crd: CRD,
      operator: { namespace: "toys-system", version: "1.0.0" },
      shutdown: false,
    },
    watched: "{}",
    previous: "{}",
    ...more,
  };
}
