/**
 * Endpoints that the engine itself uses, whatever is rendered. They are the same on every API server, so no discovery is asked for them.
 */
import type { Resource } from "./discovery.ts";

const VERBS = ["create", "delete", "get", "list", "patch", "update", "watch"];

/** ConfigMaps: records and templates. */
export const CONFIG_MAPS: Resource = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  namespaced: true,
  subresources: [],
  verbs: VERBS,
};

/** CustomResourceDefinitions. */
export const CUSTOM_RESOURCE_DEFINITIONS: Resource = {
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  namespaced: false,
  subresources: ["status"],
  verbs: VERBS,
};

/** Events, as `kubectl get events` shows them. */
export const EVENTS: Resource = {
  group: "events.k8s.io",
  version: "v1",
  kind: "Event",
  plural: "events",
  namespaced: true,
  subresources: [],
  verbs: VERBS,
};

/** Namespaces: the one that records are kept in. */
export const NAMESPACES: Resource = {
  group: "",
  version: "v1",
  kind: "Namespace",
  plural: "namespaces",
  namespaced: false,
  subresources: ["status", "finalize"],
  verbs: VERBS,
};
