/**
 * engine/kube on a real API server: the contract of KubeClient, discovery, texts, names, and what is told of a refusal.
 */
import assert from "node:assert/strict";
import { kubeClientConformance } from "../../engine/kube/conformance.ts";
import {
  ApiError,
  CONFIG_MAPS,
  DiscoveryRestMapper,
  InvalidError,
  NoMatchError,
  type Resource,
} from "../../engine/kube/mod.ts";
import type { KubeObject } from "../../engine/meta/mod.ts";
import { kubectl, uniqueName } from "./control_plane.ts";
import { adminConnection, freshNamespace } from "./kube_connection.ts";

const OURS = { fieldManager: "engine" };

kubeClientConformance("HttpKubeClient on a real API server", async () => {
  const { client, transport } = await adminConnection();
  return { client, namespace: await freshNamespace(), done: () => transport.close() };
});

Deno.test("discovery finds built-in kinds, says what is served instead, and a CRD that comes", async () => {
  await using connection = await adminConnection();
  const mapper = new DiscoveryRestMapper(connection.transport, { restMs: 0 });
  const deployment = await mapper.resourceFor({ group: "apps", version: "v1", kind: "Deployment" });
  assert.deepEqual([deployment.plural, deployment.namespaced], ["deployments", true]);
  assert.deepEqual([...deployment.subresources].sort(), ["scale", "status"]);
  await assert.rejects(
    mapper.resourceFor({ group: "apps", version: "v1beta1", kind: "Deployment" }),
    new NoMatchError(
      "The API server serves no Deployment of apps/v1beta1; it serves Deployment.apps as apps/v1",
    ),
  );
  const group = `${uniqueName("kube")}.example.com`;
  const type = { group, version: "v1", kind: "Widget" };
  await assert.rejects(mapper.resourceFor(type), /no API group .* is served; is its CRD installed\?/);
  const widgets = await installWidgets(group, mapper);
  assert.deepEqual([widgets.plural, widgets.namespaced, widgets.subresources], ["widgets", false, [
    "status",
  ]]);
});

Deno.test("texts keep big integers and the order of keys, in get, list and watch", async () => {
  await using connection = await adminConnection();
  const { client, transport } = connection;
  const group = `${uniqueName("kube")}.example.com`;
  const widgets = await installWidgets(group, new DiscoveryRestMapper(transport, { restMs: 0 }));
  const widget: KubeObject = {
    apiVersion: `${group}/v1`,
    kind: "Widget",
    metadata: { name: "big" },
    spec: { big: 9007199254740993n, "10": "a", "9": "b" },
  };
  await client.apply(widgets, widget, OURS);
  const spec = '{"10":"a","9":"b","big":9007199254740993}';
  const { object, text } = await client.get(widgets, { group, version: "v1", kind: "Widget", name: "big" });
  assert.ok(text.includes(spec), text);
  assert.deepEqual(Object.entries(Object(object.spec)).find(([key]) => key === "big"), [
    "big",
    9007199254740993n,
  ]);
  const { items } = await client.list(widgets);
  assert.ok(items[0]?.text.includes(spec));
  const abort = new AbortController();
  for await (const event of client.watch(widgets, { sendInitialEvents: true, signal: abort.signal })) {
    assert.ok(event.type === "ADDED" && event.text.startsWith("{") && event.text.includes(spec));
    break;
  }
  abort.abort();
});

Deno.test("a name with a colon works, one that would leave its place sends nothing", async () => {
  await using connection = await adminConnection();
  const { client, transport } = connection;
  const roles = await new DiscoveryRestMapper(transport).resourceFor({
    group: "rbac.authorization.k8s.io",
    version: "v1",
    kind: "ClusterRole",
  });
  const name = `system:${uniqueName("reader")}`;
  const role = {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name },
    rules: [],
  };
  const { metadata: { uid = "" } } = await client.apply(roles, role, OURS);
  const ref = { group: roles.group, version: "v1", kind: "ClusterRole", name };
  assert.equal((await client.get(roles, ref)).object.metadata.name, name);
  assert.equal(await client.delete(roles, ref, { uid }), "gone");
  const evil = configMap("default", "x/../../../kube-system/configmaps/x");
  await assert.rejects(client.apply(CONFIG_MAPS, evil, OURS), /metadata\.name .* it contains "\/"/);
});

Deno.test("a body that does not fit is an InvalidError that names the field", async () => {
  await using connection = await adminConnection();
  const { client } = connection;
  await assert.rejects(
    client.apply(CONFIG_MAPS, { ...configMap("default", "misfit"), unknown: 1 }, OURS),
    (error) =>
      error instanceof InvalidError && /was refused: \.unknown: field not declared/.test(error.message),
  );
  await assert.rejects(
    client.apply(CONFIG_MAPS, { ...configMap("default", "misfit"), data: { a: false } }, OURS),
    (error) => error instanceof InvalidError && error.causes[0]?.field === ".data.a",
  );
});

Deno.test("no value of a Secret gets into a message", async () => {
  await using connection = await adminConnection();
  const { client, transport } = connection;
  const secrets = await new DiscoveryRestMapper(transport).resourceFor({
    group: "",
    version: "v1",
    kind: "Secret",
  });
  const value = "hunter2-hunter2";
  const bodies: readonly Record<string, unknown>[] = [
    { data: { password: value } },
    { stringData: { password: [value] } },
    { stringData: { password: 4711471147114711 } },
    { stringData: value },
    { type: "kubernetes.io/dockerconfigjson", stringData: { ".dockerconfigjson": value } },
    { type: "kubernetes.io/tls", stringData: { "tls.crt": value } },
    { unknown: value },
  ];
  for (const body of bodies) {
    const secret = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "s", namespace: "default" },
      ...body,
    };
    for (
      const write of [
        () => client.apply(secrets, secret, { ...OURS, dryRun: true }),
        () => client.create(secrets, secret, { ...OURS, dryRun: true }),
      ]
    ) {
      const error: unknown = await write().then(() => undefined, (reason: unknown) => reason);
      if (error === undefined) continue;
      assert.ok(error instanceof ApiError);
      const told = Deno.inspect(error, { depth: 10 });
      assert.ok(!told.includes("hunter2") && !told.includes("47114711"), told);
    }
  }
});

Deno.test("120 open watches leave room for requests", async () => {
  await using connection = await adminConnection();
  const { client } = connection;
  const abort = new AbortController();
  const watches = Array.from({ length: 120 }, async () => {
    const options = {
      namespace: "default",
      sendInitialEvents: true,
      metadataOnly: true,
      signal: abort.signal,
    };
    const events = client.watch(CONFIG_MAPS, options)[Symbol.asyncIterator]();
    await events.next();
    return events;
  });
  const open = await Promise.all(watches);
  const { items } = await client.list(CONFIG_MAPS, { namespace: "default", limit: 1 });
  assert.ok(items.length <= 1);
  const last = open.map((events) => events.next());
  abort.abort();
  await Promise.all(last);
});

function configMap(namespace: string, name: string): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data: {} };
}

/** Installs a cluster-scoped kind Widget and waits until the mapper finds it. */
async function installWidgets(group: string, mapper: DiscoveryRestMapper): Promise<Resource> {
  const crd = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: "Cluster",
      names: { kind: "Widget", plural: "widgets", singular: "widget" },
      versions: [{
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      }],
    },
  };
  await kubectl(["apply", "-f", "-"], { stdin: JSON.stringify(crd) });
  await kubectl(["wait", "--for=condition=Established", `crd/widgets.${group}`, "--timeout=30s"]);
  for (;;) {
    try {
      return await mapper.resourceFor({ group, version: "v1", kind: "Widget" });
    } catch (error) {
      if (!(error instanceof NoMatchError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
