/**
 * engine/kube on a real API server: the contract of KubeClient, discovery, and every way in which a kubeconfig lets somebody in.
 */
import assert from "node:assert/strict";
import { kubeClientConformance } from "../../engine/kube/conformance.ts";
import {
  ApiError,
  type ClusterAccess,
  CONFIG_MAPS,
  DiscoveryRestMapper,
  ForbiddenError,
  HttpKubeClient,
  InvalidError,
  loadKubeConfig,
  NoMatchError,
  type Resource,
  Transport,
} from "../../engine/kube/mod.ts";
import type { KubeObject } from "../../engine/meta/mod.ts";
import { kubectl, sharedControlPlane, uniqueName } from "./control_plane.ts";

const OURS = { fieldManager: "engine" };
const NO_ENV = () => undefined;

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

Deno.test("a service account's token lets in, and what it may not do is forbidden", async () => {
  const { namespace, token } = await serviceAccount();
  await using connection = await connect(await accessAs(`    token: ${token}`));
  const { items } = await connection.client.list(CONFIG_MAPS, { namespace });
  assert.ok(Array.isArray(items));
  await assert.rejects(connection.client.list(CONFIG_MAPS), (error) => {
    assert.ok(error instanceof ForbiddenError && error.code === 403);
    assert.match(
      error.message,
      /^List of ConfigMap in all namespaces was refused: configmaps is forbidden: User/,
    );
    return true;
  });
});

Deno.test("nobody and an unknown token are kept out", async () => {
  for (const user of ["    {}", "    token: nonsense"]) {
    await using connection = await connect(await accessAs(user));
    await assert.rejects(connection.client.list(CONFIG_MAPS), ForbiddenError);
  }
});

Deno.test("a token file that rotates is read again", async () => {
  const { namespace, token } = await serviceAccount();
  const tokenFile = await Deno.makeTempFile();
  await Deno.writeTextFile(tokenFile, "worn-out");
  await using connection = await connect(await accessAs(`    tokenFile: ${tokenFile}`));
  await assert.rejects(connection.client.list(CONFIG_MAPS, { namespace }), ForbiddenError);
  await Deno.writeTextFile(tokenFile, `${token}\n`);
  assert.ok(await connection.client.list(CONFIG_MAPS, { namespace }));
  await Deno.remove(tokenFile);
});

Deno.test("an exec plugin is told of the cluster, and asked again when its answer expired", async () => {
  const { namespace, token } = await serviceAccount();
  const folder = await Deno.makeTempDir();
  const expiry = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
  const answer = (expirationTimestamp: string) =>
    JSON.stringify({
      apiVersion: "client.authentication.k8s.io/v1",
      kind: "ExecCredential",
      status: { token, expirationTimestamp },
    });
  await Deno.writeTextFile(`${folder}/answer`, answer(expiry(-1)));
  const script = `#!/bin/sh\ncd '${folder}' && echo "$KUBERNETES_EXEC_INFO" >> asked && cat answer\n`;
  await Deno.writeTextFile(`${folder}/plugin`, script, { mode: 0o700 });
  const exec = [
    "    exec:",
    "      apiVersion: client.authentication.k8s.io/v1",
    `      command: ${folder}/plugin`,
    "      provideClusterInfo: true",
  ];
  await using connection = await connect(await accessAs(exec.join("\n")));
  await connection.client.list(CONFIG_MAPS, { namespace });
  await Deno.writeTextFile(`${folder}/answer`, answer(expiry(3600)));
  await connection.client.list(CONFIG_MAPS, { namespace });
  await connection.client.list(CONFIG_MAPS, { namespace });
  const asked = (await Deno.readTextFile(`${folder}/asked`)).trim().split("\n");
  assert.equal(asked.length, 2);
  const { kind, spec } = JSON.parse(asked[0] ?? "");
  assert.deepEqual([kind, spec.interactive, spec.cluster.server], [
    "ExecCredential",
    false,
    (await sharedControlPlane()).url,
  ]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a Pod's service account lets in", async () => {
  const { namespace, token } = await serviceAccount();
  const folder = await Deno.makeTempDir();
  const { caCerts, server } = await adminAccess();
  await Deno.writeTextFile(`${folder}/ca.crt`, caCerts.join("\n"));
  await Deno.writeTextFile(`${folder}/token`, token);
  await Deno.writeTextFile(`${folder}/namespace`, namespace);
  const { hostname, port } = new URL(server);
  const env: Readonly<Record<string, string>> = {
    KUBERNETES_SERVICE_HOST: hostname,
    KUBERNETES_SERVICE_PORT: port,
  };
  const access = await loadKubeConfig({ env: (name) => env[name], serviceAccountFolder: folder });
  assert.equal(access.namespace, namespace);
  await using connection = await connect(access);
  assert.ok(await connection.client.list(CONFIG_MAPS, { namespace: access.namespace }));
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a server that the wrong authority vouches for is not talked to", async () => {
  const foreign = await Deno.readTextFile(new URL("../testdata/kube/foreign_ca.pem", import.meta.url));
  for (const caCerts of [[foreign], []]) {
    await using connection = await connect({ ...await adminAccess(), caCerts });
    await assert.rejects(connection.client.list(CONFIG_MAPS), (error) => {
      assert.ok(error instanceof ApiError && error.code === 0);
      assert.match(
        error.message,
        /no answer from https:\/\/127\.0\.0\.1:\d+: invalid peer certificate: UnknownIssuer/,
      );
      return true;
    });
  }
});

interface Connection extends AsyncDisposable {
  readonly client: HttpKubeClient;
  readonly transport: Transport;
}

function connect(access: ClusterAccess): Promise<Connection> {
  const transport = new Transport(access);
  return Promise.resolve({
    client: new HttpKubeClient(transport),
    transport,
    [Symbol.asyncDispose]: () => Promise.resolve(transport.close()),
  });
}

async function adminAccess(): Promise<ClusterAccess> {
  const { kubeconfigPath } = await sharedControlPlane();
  return await loadKubeConfig({ path: kubeconfigPath, env: NO_ENV });
}

async function adminConnection(): Promise<Connection> {
  return await connect(await adminAccess());
}

/** Access for a user whose entry is given as YAML, indented by four. */
async function accessAs(user: string): Promise<ClusterAccess> {
  const { server, caCerts } = await adminAccess();
  const path = await Deno.makeTempFile();
  await Deno.writeTextFile(
    path,
    [
      "current-context: test",
      "clusters:",
      `- {name: test, cluster: {server: "${server}", certificate-authority-data: ${
        btoa(caCerts.join("\n"))
      }}}`,
      "contexts:",
      "- {name: test, context: {cluster: test, user: test}}",
      "users:",
      "- name: test",
      "  user:",
      user,
    ].join("\n"),
  );
  const access = await loadKubeConfig({ path, env: NO_ENV });
  await Deno.remove(path);
  return access;
}

async function freshNamespace(): Promise<string> {
  const namespace = uniqueName("kube");
  await kubectl(["create", "namespace", namespace]);
  return namespace;
}

/** A service account that may read the ConfigMaps of its namespace. */
async function serviceAccount(): Promise<{ readonly namespace: string; readonly token: string }> {
  const namespace = await freshNamespace();
  await kubectl(["create", "serviceaccount", "reader", "-n", namespace]);
  await kubectl(["create", "role", "reader", "--verb=list", "--resource=configmaps", "-n", namespace]);
  const binding = ["--role=reader", `--serviceaccount=${namespace}:reader`, "-n", namespace];
  await kubectl(["create", "rolebinding", "reader", ...binding]);
  return { namespace, token: (await kubectl(["create", "token", "reader", "-n", namespace])).trim() };
}

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
