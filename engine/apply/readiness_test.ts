import assert from "node:assert/strict";
import type { KubeObject } from "../meta/mod.ts";
import { readinessOf } from "./readiness.ts";

function object(apiVersion: string, kind: string, rest: Record<string, unknown>, generation = 2): KubeObject {
  return { apiVersion, kind, metadata: { name: "x", generation }, ...rest };
}

const CASES: readonly {
  readonly name: string;
  readonly object: KubeObject;
  readonly ready: boolean;
  readonly says?: RegExp;
}[] = [
  { name: "ConfigMap: at once", object: object("v1", "ConfigMap", {}), ready: true },
  {
    name: "Deployment without status",
    object: object("apps/v1", "Deployment", { spec: { replicas: 1 } }),
    ready: false,
    says: /not observed/,
  },
  {
    name: "Deployment with an older observedGeneration",
    object: object("apps/v1", "Deployment", {
      status: { observedGeneration: 1, updatedReplicas: 1, availableReplicas: 1 },
    }),
    ready: false,
    says: /generation 2/,
  },
  {
    name: "Deployment with 1 of 2 available",
    object: object("apps/v1", "Deployment", {
      spec: { replicas: 2 },
      status: { observedGeneration: 2, updatedReplicas: 2, availableReplicas: 1 },
    }),
    ready: false,
    says: /1 of 2 replicas/,
  },
  {
    name: "Deployment that is stuck",
    object: object("apps/v1", "Deployment", {
      spec: { replicas: 1 },
      status: {
        observedGeneration: 2,
        conditions: [{
          type: "Progressing",
          status: "False",
          reason: "ProgressDeadlineExceeded",
          message: "timed out",
        }],
      },
    }),
    ready: false,
    says: /timed out/,
  },
  {
    name: "Deployment",
    object: object("apps/v1", "Deployment", {
      spec: { replicas: 2 },
      status: { observedGeneration: 2, updatedReplicas: 2, availableReplicas: 2 },
    }),
    ready: true,
  },
  {
    name: "Job under way",
    object: object("batch/v1", "Job", { status: { active: 1 } }),
    ready: false,
    says: /not completed/,
  },
  {
    name: "Job done",
    object: object("batch/v1", "Job", { status: { conditions: [{ type: "Complete", status: "True" }] } }),
    ready: true,
  },
  {
    name: "Job failed",
    object: object("batch/v1", "Job", {
      status: { conditions: [{ type: "Failed", status: "True", reason: "BackoffLimitExceeded" }] },
    }),
    ready: false,
    says: /BackoffLimitExceeded/,
  },
  {
    name: "Namespace terminating",
    object: object("v1", "Namespace", { status: { phase: "Terminating" } }),
    ready: false,
    says: /Terminating/,
  },
  {
    name: "Service of type LoadBalancer without address",
    object: object("v1", "Service", { spec: { type: "LoadBalancer" } }),
    ready: false,
    says: /no load balancer address/,
  },
  {
    name: "Service of type LoadBalancer",
    object: object("v1", "Service", {
      spec: { type: "LoadBalancer" },
      status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } },
    }),
    ready: true,
  },
  {
    name: "CRD not established",
    object: object("apiextensions.k8s.io/v1", "CustomResourceDefinition", { status: { conditions: [] } }),
    ready: false,
    says: /Established/,
  },
  {
    name: "anything with Ready=False",
    object: object("example.com/v1", "Thing", {
      status: { conditions: [{ type: "Ready", status: "False", message: "no disk" }] },
    }),
    ready: false,
    says: /no disk/,
  },
  {
    name: "anything with Stalled",
    object: object("example.com/v1", "Thing", {
      status: { conditions: [{ type: "Stalled", status: "True", message: "bad" }] },
    }),
    ready: false,
    says: /Stalled: bad/,
  },
  { name: "anything without conditions", object: object("example.com/v1", "Thing", {}), ready: true },
];

for (const { name, object, ready, says } of CASES) {
  Deno.test(`readiness: ${name}`, () => {
    const answer = readinessOf(object);
    assert.equal(answer.ready, ready, answer.message);
    if (says !== undefined) assert.match(answer.message, says);
  });
}

Deno.test("readiness: what is being deleted is not ready", () => {
  const dying: KubeObject = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "x", deletionTimestamp: "2026-01-01T00:00:00Z" },
  };
  assert.equal(readinessOf(dying).ready, false);
});
