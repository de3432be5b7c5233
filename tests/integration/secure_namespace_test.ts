/**
 * The reference implementation from end to end, as it ships: its CRD, its templates and its samples, on a real API server with the real CRDs of Cilium.
 * Only the group is the test's own, by the flag that users have for that.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { gvkOf, isJsonObject, type KubeObject, type ObjectRef, readDocuments } from "../../engine/mod.ts";
import { CrdServer } from "../secure_namespace/crd_server.ts";
import { uniqueName } from "./control_plane.ts";
import { configMapRef, dataOf, statusOf } from "./fixture.ts";
import { type Cluster, conditionOf, connect, startOperator, until } from "./harness.ts";
import { auditMark, requestsSince, writesOf } from "./requests.ts";

const FOLDER = fileURLToPath(new URL("../../templates/secure-namespace", import.meta.url));

/** What each sample makes: the name of the instance, its namespace, and `Kind name` in order; namespaced unless it begins with `Cluster` or is the Namespace. */
const SAMPLES: readonly {
  readonly file: string;
  readonly instance: string;
  readonly home: string;
  readonly objects: readonly string[];
}[] = [
  {
    file: "minimal.yaml",
    instance: "shop-dev",
    home: "shop-dev",
    objects: [
      "Namespace shop-dev",
      "ResourceQuota shop-dev-quota",
      "LimitRange shop-dev-limits",
      "CiliumNetworkPolicy shop-dev-isolation",
      "CiliumNetworkPolicy shop-dev-infrastructure-access",
    ],
  },
  {
    file: "full.yaml",
    instance: "billing-prod",
    home: "billing-prod",
    objects: [
      "Namespace billing-prod",
      "ResourceQuota billing-prod-quota",
      "LimitRange billing-prod-limits",
      "CiliumNetworkPolicy billing-prod-isolation",
      "CiliumNetworkPolicy billing-prod-external-access",
      "CiliumNetworkPolicy billing-prod-infrastructure-access",
      "ServiceAccount billing-prod-deployer-sa",
      "Role billing-prod-deployer-role",
      "RoleBinding billing-prod-deployer-role",
      "ClusterRole billing-prod-deployer-clusterrole",
      "ClusterRoleBinding billing-prod-deployer-clusterrole",
    ],
  },
  {
    file: "first-generation.yaml",
    instance: "portal-integ",
    home: "portal-integ",
    objects: [
      "Namespace portal-integ",
      "ResourceQuota portal-integ-quota",
      "LimitRange portal-integ-limits",
      "CiliumNetworkPolicy portal-integ-isolation",
      "CiliumNetworkPolicy portal-integ-external-access",
      "CiliumNetworkPolicy portal-integ-infrastructure-access",
      "ServiceAccount portal-integ-app-sa-sa",
      "Role portal-integ-app-sa-role",
      "RoleBinding portal-integ-app-sa-role",
    ],
  },
];
const TYPES: Readonly<
  Record<string, { readonly group: string; readonly version: string; readonly cluster?: true }>
> = {
  Namespace: { group: "", version: "v1", cluster: true },
  ResourceQuota: { group: "", version: "v1" },
  LimitRange: { group: "", version: "v1" },
  ServiceAccount: { group: "", version: "v1" },
  CiliumNetworkPolicy: { group: "cilium.io", version: "v2" },
  Role: { group: "rbac.authorization.k8s.io", version: "v1" },
  RoleBinding: { group: "rbac.authorization.k8s.io", version: "v1" },
  ClusterRole: { group: "rbac.authorization.k8s.io", version: "v1", cluster: true },
  ClusterRoleBinding: { group: "rbac.authorization.k8s.io", version: "v1", cluster: true },
};

/** Deleting a Namespace is the work of the controller manager, which takes its time. */
const NAMESPACE_GONE_MS = 60_000;

function refOf(object: string, home: string): ObjectRef {
  const [kind = "", name = ""] = object.split(" ");
  const { group, version, cluster } = TYPES[kind] ?? { group: "", version: "" };
  return { group, version, kind, ...(cluster ? {} : { namespace: home }), name };
}

async function readSample(file: string, group: string): Promise<KubeObject> {
  const text = await Deno.readTextFile(`${FOLDER}/samples/${file}`);
  const value = readDocuments(text.replace("secure-ns.example.com/v1alpha1", `${group}/v1alpha1`))[0]?.value;
  if (!isJsonObject(value) || !isJsonObject(value.metadata)) throw new Error(`${file} holds no object`);
  return {
    ...value,
    apiVersion: `${group}/v1alpha1`,
    kind: "SecureNamespace",
    metadata: { name: `${value.metadata.name}` },
  };
}

/** The instance once it is Ready at its generation. */
function ready(cluster: Cluster, ref: ObjectRef): Promise<KubeObject> {
  return until(`${ref.name} is Ready`, async () => {
    const object = await cluster.get(ref);
    const condition = conditionOf(object, "Ready");
    if (condition?.status === "True" && condition.observedGeneration === object?.metadata.generation) {
      return object;
    }
    throw new Error(`${condition?.reason}: ${condition?.message}`);
  });
}

Deno.test("secure-namespace: from its samples to objects, and back to nothing", async (t) => {
  await using server = await CrdServer.start();
  const cluster = await connect();
  const namespace = uniqueName("tenants");
  const operatorNamespace: ObjectRef = { group: "", version: "v1", kind: "Namespace", name: namespace };
  await cluster.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  const crd = {
    group: server.group,
    version: "v1alpha1",
    kind: "SecureNamespace",
    plural: "securenamespaces",
  };
  const start = () => startOperator({ cluster, implementations: [`${FOLDER}/operator`], namespace, crd });
  const instances = await Promise.all(SAMPLES.map(({ file }) => readSample(file, server.group)));
  const refs = instances.map((object): ObjectRef => ({ ...gvkOf(object), name: object.metadata.name }));
  const patch = (name: string, spec: KubeObject["spec"]) =>
    cluster.patch({ ...refs[0] ?? operatorNamespace, name }, { spec: isJsonObject(spec) ? spec : {} });
  const first = start();
  try {
    await t.step("each sample is Ready, and all of its objects are there", async () => {
      await Promise.all(instances.map((instance) => cluster.apply(instance)));
      for (const [i, { home, objects }] of SAMPLES.entries()) {
        const instance = await ready(cluster, refs[i] ?? operatorNamespace);
        const status = statusOf(instance);
        assert.equal(status.namespaceName, home);
        assert.equal(status.state, "Ready");
        assert.equal(status.revision, 1);
        assert.deepEqual(
          Array.isArray(status.createdResources) &&
            status.createdResources.map((one) => isJsonObject(one) && `${one.kind} ${one.name}`),
          objects,
        );
        assert.deepEqual(status.failedResources, []);
        for (const object of objects) {
          const live = await cluster.get(refOf(object, home));
          assert.equal(live?.metadata.labels?.["generic-operator.io/owner"], instance.metadata.uid, object);
        }
      }
    });

    await t.step("what the quota and the policies say is what was asked for", async () => {
      const quota = await cluster.get(refOf("ResourceQuota billing-prod-quota", "billing-prod"));
      const hard = isJsonObject(quota?.spec) && isJsonObject(quota.spec.hard) ? quota.spec.hard : {};
      assert.equal(hard["requests.cpu"], "4");
      assert.equal(hard.pods, "20");
      const policy = await cluster.get(
        refOf("CiliumNetworkPolicy billing-prod-external-access", "billing-prod"),
      );
      const text = JSON.stringify(policy?.spec);
      for (
        const part of [
          '"toCIDR":["203.0.113.0/24"',
          '"matchPattern":"*.packages.example.com"',
          '"serviceName":"postgres"',
        ]
      ) {
        assert.ok(text.includes(part), `${part} in ${text}`);
      }
    });

    await t.step("an edited policy and a deleted quota are back within moments", async () => {
      const quota = refOf("ResourceQuota shop-dev-quota", "shop-dev");
      const before = await cluster.get(quota);
      await cluster.remove(quota);
      const after = await until("the quota", () => cluster.get(quota), 2_000);
      assert.notEqual(after.metadata.uid, before?.metadata.uid);
      const policy = refOf("CiliumNetworkPolicy shop-dev-isolation", "shop-dev");
      const wanted = JSON.stringify((await cluster.get(policy))?.spec);
      await cluster.patch(policy, { spec: { egress: null } });
      await until(
        "the policy",
        async () => JSON.stringify((await cluster.get(policy))?.spec) === wanted || undefined,
        2_000,
      );
    });

    await t.step("a changed spec is a second revision, and the history names the path", async () => {
      await patch("shop-dev", { quotas: { objects: { pods: 7 } } });
      const instance = await ready(cluster, refs[0] ?? operatorNamespace);
      assert.equal(statusOf(instance).revision, 2);
      const quota = await cluster.get(refOf("ResourceQuota shop-dev-quota", "shop-dev"));
      assert.match(JSON.stringify(quota?.spec), /"pods":"7"/);
      const history = String(
        dataOf(await cluster.get(configMapRef("shop-dev-history", namespace)))["history.txt"],
      );
      const [newest = "", oldest = ""] = history.split("\n\n");
      assert.match(newest, /^revision 2 .* spec by test/);
      assert.match(newest, /^ {2}spec\.quotas\.objects\.pods: 5 -> 7$/m);
      assert.match(newest, /^ {2}complete: \d+ configured/m);
      assert.match(oldest, /^revision 1 .* created by test/);
      assert.match(oldest, /^ {2}complete: 5 created$/m);
    });

    await t.step("the quota switched off: quota and limits are gone, the rest stays", async () => {
      await patch("shop-dev", { quotas: { enabled: false } });
      assert.equal(statusOf(await ready(cluster, refs[0] ?? operatorNamespace)).revision, 3);
      for (const object of SAMPLES[0]?.objects ?? []) {
        const live = await cluster.get(refOf(object, "shop-dev"));
        assert.equal(live === undefined, /Quota|LimitRange/.test(object), object);
      }
    });

    await t.step("a standard service without an address is refused by name; nothing is changed", async () => {
      await patch("shop-dev", { network: { externalAccess: { standard: { vault: true } } } });
      const message = await until("RenderFailed", async () => {
        const condition = conditionOf(await cluster.get(refs[0] ?? operatorNamespace), "Ready");
        return condition?.reason === "RenderFailed" ? String(condition.message) : undefined;
      });
      assert.match(message, /templates-core\/infrastructure-access\.yaml line \d+.*vault/);
      await patch("shop-dev", { network: { externalAccess: { standard: { vault: false } } } });
      await ready(cluster, refs[0] ?? operatorNamespace);
    });

    await t.step("a restart is silent", async () => {
      await first.stop();
      const from = await auditMark(cluster);
      await using second = start();
      await until("it serves", () => second.logs.find((line) => String(line.message).startsWith("Serves ")));
      await new Promise((resolve) => setTimeout(resolve, 3_000)); // silence cannot be awaited
      assert.deepEqual(writesOf(await requestsSince(cluster, from, second)), []);
    });

    await t.step("deletion leaves nothing but the history", async () => {
      await using _third = start();
      await Promise.all(refs.map((ref) => cluster.remove(ref)));
      for (const ref of refs) {
        await until(
          `${ref.name} is gone`,
          async () => await cluster.get(ref) === undefined || undefined,
          NAMESPACE_GONE_MS,
        );
      }
      for (const { home, objects } of SAMPLES) {
        for (const object of objects) assert.equal(await cluster.get(refOf(object, home)), undefined, object);
      }
      const record = dataOf(await cluster.get(configMapRef("shop-dev-history", namespace)));
      assert.equal(record["inventory.json"], "[]");
      assert.match(String(record["history.txt"]), /^revision \d+ .* deleted/);
    });
  } finally {
    await first.stop();
    await cluster.remove(operatorNamespace);
    cluster.close();
  }
});
