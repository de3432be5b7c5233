/**
 * What the CRD of secure-namespace takes, fills in, refuses, keeps and shows; decided by a real API server.
 */
import assert from "node:assert/strict";
import { CrdServer } from "./crd_server.ts";
import { refusedSpecs, takenSpecs } from "./crd_cases.ts";
import { generatedCrs } from "./generated.ts";

const SAMPLES = new URL("../../templates/secure-namespace/samples/", import.meta.url);

Deno.test("The CRD of secure-namespace", async (t) => {
  await using server = await CrdServer.start();
  const cr = (name: string, spec: unknown, status?: unknown) => ({
    apiVersion: `${server.group}/v1alpha1`,
    kind: "SecureNamespace",
    metadata: { name },
    spec,
    ...(status === undefined ? {} : { status }),
  });
  const minimal = { project: { solution: "shop", environment: "dev" } };
  const list = (items: readonly unknown[]) => JSON.stringify({ apiVersion: "v1", kind: "List", items });
  const dryRun = ["create", "--dry-run=server", "--validate=false", "-f", "-"];

  await t.step("fills in every default of a CR with just a project", async () => {
    const stored = JSON.parse(
      await server.run([...dryRun, "-o", "json"], JSON.stringify(cr("shop-dev", minimal))),
    );
    assert.deepEqual(stored.spec, DEFAULTS);
  });

  await t.step("takes the samples", async () => {
    for (const sample of ["minimal", "full", "first-generation"]) {
      const text = await Deno.readTextFile(new URL(`${sample}.yaml`, SAMPLES));
      await server.run(["create", "--dry-run=server", "--validate=strict", "-f", "-"], text);
    }
  });

  await t.step("takes generated CRs, and has nothing to add to them", async () => {
    const crs = generatedCrs(60);
    const sent = list(crs.map(({ metadata, spec }) => cr(metadata.name, spec)));
    const printed = await server.run([...dryRun, "-o", "jsonpath={.spec}{'\\n'}"], sent);
    const specs = printed.trim().split("\n");
    crs.forEach(({ spec }, index) =>
      assert.equal(JSON.stringify(JSON.parse(specs[index] ?? "null")), JSON.stringify(spec))
    );
  });

  await t.step("takes what is unusual but right", async () => {
    const sent = list(takenSpecs.map((spec, index) => cr(`taken-${index}`, { ...minimal, ...spec })));
    assert.equal(await server.complaint(dryRun, sent), "");
  });

  await t.step("refuses what cannot work, and says what to write", async (t) => {
    const names = refusedSpecs.map((_, index) => `refused-${index}`);
    const sent = list(refusedSpecs.map(({ spec }, index) => cr(names[index] ?? "", { ...minimal, ...spec })));
    const answers = (await server.complaint(dryRun, sent)).split(/(?=Error from server)/);
    for (const [index, { spec, says }] of refusedSpecs.entries()) {
      await t.step(JSON.stringify(spec).slice(0, 120), () => {
        const answer = answers.find((text) => text.includes(`"${names[index]}" is invalid`)) ?? "";
        for (const words of says) assert.ok(answer.includes(words), `${words} is missing in: ${answer}`);
        const complaints = answer.match(/\bspec\.[^ ]+: [A-Z]/g) ?? [];
        assert.equal(complaints.length, 1, `Not exactly one complaint: ${answer}`);
      });
    }
  });

  await t.step("refuses a name that no label can hold", async () => {
    const sent = JSON.stringify(cr("n".repeat(64), minimal));
    assert.match(await server.complaint(dryRun, sent), /write at most 63 characters/);
  });

  await t.step("keeps what is fixed after creation", async () => {
    await server.run(["create", "-f", "-"], JSON.stringify(cr("fixed", minimal)));
    const options = ["--type=merge", "--dry-run=server", "-p"];
    const patch = (spec: unknown) =>
      server.complaint(["patch", server.crdName, "fixed", ...options, JSON.stringify({ spec })]);
    for (const project of [{ solution: "other" }, { environment: "prod" }]) {
      assert.match(
        await patch({ project }),
        /solution and environment cannot change after creation/,
      );
    }
    assert.match(
      await patch({ namespaceName: "other" }),
      /the namespace of a SecureNamespace cannot change/,
    );
    for (
      const spec of [
        { project: { environment: "DEV" } },
        { namespaceName: "shop-dev" },
        { quotas: { enabled: false } },
      ]
    ) {
      assert.equal(await patch(spec), "");
    }
  });

  await t.step("keeps the whole status, the engine's and the first generation's", async () => {
    await server.run(["create", "-f", "-"], JSON.stringify(cr("shown", minimal)));
    const sent = JSON.stringify(cr("shown", minimal, STATUS));
    await server.run(["replace", "--subresource=status", "-f", "-"], sent);
    const stored = JSON.parse(await server.run(["get", server.crdName, "shown", "-o", "json"]));
    assert.deepEqual(stored.status, STATUS);
  });

  await t.step("shows the columns", async () => {
    const header = async (...args: readonly string[]) =>
      (await server.run(["get", server.crdName, "shown", ...args])).split("\n")[0]?.trim().split(/\s+/);
    const usual = "NAME READY SOLUTION ENVIRONMENT VIP NODE INGRESS EGRESS ISOLATION QUOTA REVISION AGE"
      .split(" ");
    assert.deepEqual(await header(), usual);
    assert.deepEqual(await header("-o", "wide"), [
      ...usual,
      "CONTACT",
      "EMAIL",
      "LAST-VIP",
      "LAST-NODE",
      "MESSAGE",
    ]);
    const [, row] = (await server.run(["get", server.crdName, "shown"])).split("\n");
    assert.match(
      row ?? "",
      /^shown +True +shop +dev +192\.0\.2\.7 +node-1 +traefik +false +true +true +3 +\S+$/,
    );
  });
});

const RESOURCES = {
  limits: { cpu: "500m", memory: "512Mi" },
  requests: { cpu: "100m", memory: "128Mi" },
};

/** The defaults that ../shared/secure-namespace.md lists. */
const DEFAULTS = {
  project: { solution: "shop", environment: "dev", contact: {} },
  quotas: {
    enabled: true,
    compute: {
      "requests.cpu": "1024m",
      "requests.memory": "1Gi",
      "limits.cpu": "2048m",
      "limits.memory": "2Gi",
    },
    storage: { "requests.storage": "10Gi", persistentvolumeclaims: 2 },
    objects: { pods: 5, services: 5, configmaps: 5, secrets: 5 },
  },
  ingress: {
    enabled: false,
    serviceName: "lb-gateway",
    domain: "k8s-staging.secure-ns.example.com",
    controller: {
      type: "traefik",
      replicas: 1,
      nodeSelector: { label: "secure-ns/app", value: "GENERIC" },
      resources: RESOURCES,
    },
  },
  network: {
    interfaceName: "ens192",
    isolationEnabled: true,
    externalAccess: {
      enabled: false,
      rules: [],
      services: [],
      namespaces: [],
      standard: { git: false, proxy: false, s3: false, smtp: false, vault: false, logging: true },
    },
  },
  egressController: { enabled: false, reconcileIntervalSeconds: 30 },
  example: {
    enabled: false,
    image: "docker.io/nginxinc/nginx-unprivileged:1.28.0-alpine",
    hostPrefix: "app",
    replicas: 1,
  },
  serviceaccount: { enabled: false, name: "app-sa", roles: [], clusterroles: [] },
};

const OBJECT = { apiVersion: "v1", kind: "ResourceQuota", namespace: "shop-dev", name: "shop-dev-quota" };

const STATUS = {
  conditions: [{
    type: "Ready",
    status: "True",
    reason: "Applied",
    message: "5 objects are as rendered",
    observedGeneration: 1,
    lastTransitionTime: "2026-01-02T03:04:05Z",
  }],
  observedGeneration: 1,
  revision: 3,
  counts: { applied: 5, failed: 0, skipped: 0 },
  failedObjects: [{ ...OBJECT, reason: "Forbidden", message: "May not" }],
  namespaceName: "shop-dev",
  state: "Ready",
  message: "Ready",
  createdResources: [OBJECT],
  failedResources: [{ ...OBJECT, reason: "Forbidden", message: "May not" }],
  ingressVIP: "192.0.2.7",
  egressNode: "node-1",
};
