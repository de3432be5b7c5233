/**
 * Is an object ready? The rules of kstatus (the Kubernetes convention that kubectl, Flux and Argo CD follow): per built-in kind
 * where it has one, and conditions for everything else. Pure: the whole object in, answer and reason out.
 */
import { groupKindOf, gvkOf, isJsonObject, type JsonObject, type KubeObject } from "../meta/mod.ts";

/** The answer; `message` says what is missing, for people. */
export interface Readiness {
  readonly ready: boolean;
  readonly message: string;
}

const READY: Readiness = { ready: true, message: "" };

function notReady(message: string): Readiness {
  return { ready: false, message };
}

/** Tells whether the object has reached the state that its spec asks for. */
export function readinessOf(object: KubeObject): Readiness {
  if (object.metadata.deletionTimestamp !== undefined) return notReady("is being deleted");
  const status: JsonObject = isJsonObject(object.status) ? object.status : {};
  const spec: JsonObject = isJsonObject(object.spec) ? object.spec : {};
  const { generation } = object.metadata;
  if (
    generation !== undefined && typeof status.observedGeneration === "number" &&
    status.observedGeneration < generation
  ) {
    return notReady(`generation ${generation} is not observed yet`);
  }
  const rule = RULES[groupKindOf(gvkOf(object))];
  return rule === undefined ? byConditions(status) : rule(spec, status);
}

type Rule = (spec: JsonObject, status: JsonObject) => Readiness;

const RULES: Readonly<Record<string, Rule>> = {
  "Deployment.apps": deployment,
  "StatefulSet.apps": (spec, status) => replicas(count(spec.replicas, 1), count(status.readyReplicas)),
  "ReplicaSet.apps": (spec, status) => replicas(count(spec.replicas, 1), count(status.readyReplicas)),
  "DaemonSet.apps": daemonSet,
  "Job.batch": job,
  "Pod": pod,
  "Namespace": (_spec, status) => phase(status, "Active"),
  "PersistentVolumeClaim": (_spec, status) => phase(status, "Bound"),
  "Service": service,
  "CustomResourceDefinition.apiextensions.k8s.io": (_spec, status) =>
    isTrue(status, "Established") ? READY : notReady("is not Established yet"),
};

function count(value: unknown, otherwise = 0): number {
  return typeof value === "number" ? value : otherwise;
}

function replicas(wanted: number, ready: number): Readiness {
  return ready >= wanted ? READY : notReady(`${ready} of ${wanted} replicas ready`);
}

function phase(status: JsonObject, wanted: string): Readiness {
  return status.phase === wanted
    ? READY
    : notReady(`phase is ${String(status.phase ?? "unknown")}, not ${wanted}`);
}

function deployment(spec: JsonObject, status: JsonObject): Readiness {
  if (status.observedGeneration === undefined) return notReady("is not observed yet");
  const stuck = conditionOf(status, "Progressing");
  if (stuck?.reason === "ProgressDeadlineExceeded") return notReady(String(stuck.message ?? stuck.reason));
  const wanted = count(spec.replicas, 1);
  if (count(status.updatedReplicas) < wanted) {
    return notReady(`${count(status.updatedReplicas)} of ${wanted} replicas updated`);
  }
  return replicas(wanted, count(status.availableReplicas));
}

function daemonSet(_spec: JsonObject, status: JsonObject): Readiness {
  if (status.observedGeneration === undefined) return notReady("is not observed yet");
  const wanted = count(status.desiredNumberScheduled);
  return replicas(wanted, Math.min(count(status.updatedNumberScheduled), count(status.numberAvailable)));
}

function job(_spec: JsonObject, status: JsonObject): Readiness {
  if (isTrue(status, "Complete")) return READY;
  const failed = conditionOf(status, "Failed");
  if (failed?.status === "True") {
    return notReady(`failed: ${String(failed.reason ?? "")} ${String(failed.message ?? "")}`);
  }
  return notReady("has not completed yet");
}

function pod(_spec: JsonObject, status: JsonObject): Readiness {
  if (status.phase === "Succeeded" || isTrue(status, "Ready")) return READY;
  return notReady(`phase is ${String(status.phase ?? "unknown")}`);
}

function service(spec: JsonObject, status: JsonObject): Readiness {
  if (spec.type !== "LoadBalancer") return READY;
  const balancer = isJsonObject(status.loadBalancer) ? status.loadBalancer.ingress : undefined;
  return Array.isArray(balancer) && balancer.length > 0
    ? READY
    : notReady("has no load balancer address yet");
}

function byConditions(status: JsonObject): Readiness {
  for (const type of ["Stalled", "Reconciling"]) {
    if (isTrue(status, type)) {
      return notReady(`${type}: ${String(conditionOf(status, type)?.message ?? "")}`);
    }
  }
  const ready = conditionOf(status, "Ready") ?? conditionOf(status, "Available");
  if (ready === undefined || ready.status === "True") return READY;
  return notReady(String(ready.message ?? ready.reason ?? "is not Ready"));
}

function conditionOf(status: JsonObject, type: string): JsonObject | undefined {
  if (!Array.isArray(status.conditions)) return undefined;
  return status.conditions.find((one): one is JsonObject => isJsonObject(one) && one.type === type);
}

function isTrue(status: JsonObject, type: string): boolean {
  return conditionOf(status, type)?.status === "True";
}
