/**
 * engine/kube on a real API server: every way in which a kubeconfig lets somebody in, and what keeps others out.
 */
import assert from "node:assert/strict";
import {
  ApiError,
  type ClusterAccess,
  CONFIG_MAPS,
  ForbiddenError,
  loadKubeConfig,
} from "../../engine/kube/mod.ts";
import { kubectl, sharedControlPlane } from "./control_plane.ts";
import { adminAccess, connect, freshNamespace } from "./kube_connection.ts";

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

Deno.test("a client certificate of an exec plugin lets in, also one that comes later", async () => {
  const folder = await Deno.makeTempDir();
  const { token } = await serviceAccount();
  const { certificate } = await (await adminAccess()).credentials();
  const answer = (status: unknown) =>
    Deno.writeTextFile(`${folder}/answer`, JSON.stringify({ kind: "ExecCredential", status }));
  await Deno.writeTextFile(`${folder}/plugin`, `#!/bin/sh\ncat '${folder}/answer'\n`, { mode: 0o700 });
  const expirationTimestamp = new Date(0).toISOString();
  await answer({ token, expirationTimestamp });
  await using connection = await connect(await accessAs(`    exec: {command: ${folder}/plugin}`));
  await assert.rejects(connection.client.list(CONFIG_MAPS), ForbiddenError);
  await answer({
    clientCertificateData: certificate?.cert,
    clientKeyData: certificate?.key,
    expirationTimestamp,
  });
  assert.ok(await connection.client.list(CONFIG_MAPS));
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a kubeconfig's proxy-url is the way that requests and watches go", async () => {
  const proxy = connectProxy();
  await using connection = await connect({ ...await adminAccess(), proxyUrl: proxy.url });
  const { server } = await adminAccess();
  await connection.client.list(CONFIG_MAPS, { limit: 1 });
  const abort = new AbortController();
  const watch = connection.client.watch(CONFIG_MAPS, { sendInitialEvents: true, signal: abort.signal });
  for await (const event of watch) {
    assert.ok(event.type);
    break;
  }
  abort.abort();
  assert.deepEqual(proxy.asked, Array(2).fill(`CONNECT ${new URL(server).host} HTTP/1.1`));
  connection.transport.close();
  await proxy.close();
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
  const access = await loadKubeConfig({ path, env: () => undefined });
  await Deno.remove(path);
  return access;
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

interface ConnectProxy {
  readonly url: string;
  /** First line of each request. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** An HTTP proxy that only tunnels. */
function connectProxy(): ConnectProxy {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const asked: string[] = [];
  const tunnel = async (client: Deno.TcpConn) => {
    const buffer = new Uint8Array(4096);
    const count = await client.read(buffer) ?? 0;
    const line = new TextDecoder().decode(buffer.subarray(0, count)).split("\r\n", 1)[0] ?? "";
    asked.push(line);
    const [hostname = "", port] = (line.split(" ")[1] ?? "").split(":");
    const server = await Deno.connect({ hostname, port: Number(port) });
    await client.write(new TextEncoder().encode("HTTP/1.1 200 Connection established\r\n\r\n"));
    const pumps = [client.readable.pipeTo(server.writable), server.readable.pipeTo(client.writable)];
    await Promise.allSettled(pumps);
  };
  const served = (async () => {
    const tunnels: Promise<void>[] = [];
    for await (const client of listener) tunnels.push(tunnel(client));
    await Promise.all(tunnels);
  })();
  return {
    url: `http://127.0.0.1:${listener.addr.port}`,
    asked,
    close: () => (listener.close(), served),
  };
}
