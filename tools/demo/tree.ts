/**
 * Instances and what each owns in, the lines of a tree out. Pure: the picture of a moment.
 */
import {
  formatRef,
  isJsonObject,
  type JsonObject,
  type KubeObject,
  readinessOf,
  refOf,
} from "../../engine/mod.ts";
import type { Line, Span } from "./screen.ts";

/** An instance with its objects, in the order in which they are to be shown. */
export interface TreeNode {
  readonly instance: KubeObject;
  readonly children: readonly KubeObject[];
}

/** The status of an instance; empty as long as nobody has written one. */
export function statusOf(instance: KubeObject): JsonObject {
  return isJsonObject(instance.status) ? instance.status : {};
}

/** A condition of an instance: its status and what it says. */
export function conditionOf(
  instance: KubeObject,
  type: string,
): { readonly status: string; readonly reason: string; readonly message: string } | undefined {
  const { conditions } = statusOf(instance);
  if (!Array.isArray(conditions)) return undefined;
  const found = conditions.find((one): one is JsonObject => isJsonObject(one) && one.type === type);
  return found && {
    status: String(found.status),
    reason: String(found.reason ?? ""),
    message: String(found.message ?? ""),
  };
}

/** True when the status says Ready of the spec as it is now. */
export function isReady(instance: KubeObject): boolean {
  return instance.metadata.deletionTimestamp === undefined &&
    conditionOf(instance, "Ready")?.status === "True" &&
    statusOf(instance).observedGeneration === instance.metadata.generation;
}

/** The tree: a head for each instance, below it what it owns with its readiness. */
export function treeLines(nodes: readonly TreeNode[]): readonly Line[] {
  return nodes.flatMap(({ instance, children }) => [
    head(instance, children),
    ...children.map((child, index) => childLine(child, index === children.length - 1)),
  ]);
}

function head(instance: KubeObject, children: readonly KubeObject[]): Line {
  const { kind, metadata: { name, deletionTimestamp } } = instance;
  const ready = children.filter((child) => readinessOf(child).ready).length;
  const count = `${ready} of ${children.length} objects ready`;
  const state: Span = deletionTimestamp !== undefined
    ? { text: `being deleted, ${children.length} objects left`, tone: "waiting" }
    : isReady(instance)
    ? { text: `Ready, revision ${String(statusOf(instance).revision)}, ${count}`, tone: "good" }
    : { text: `${conditionOf(instance, "Ready")?.reason ?? "new"}, ${count}`, tone: "waiting" };
  return [{ text: `${kind} ${name}`, tone: "strong" }, { text: "  " }, state];
}

function childLine(child: KubeObject, isLast: boolean): Line {
  const { ready, message } = readinessOf(child);
  return [
    { text: isLast ? " └─ " : " ├─ ", tone: "dim" },
    ready ? { text: "✔ ", tone: "good" } : { text: "… ", tone: "waiting" },
    { text: formatRef(refOf(child)) },
    ...(ready ? [] : [{ text: `  ${message}`, tone: "waiting" } as const]),
  ];
}
