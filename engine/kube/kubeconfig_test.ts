import assert from "node:assert/strict";
import type { ClusterAccess } from "./access.ts";
import { KubeConfigError } from "./errors.ts";
import { type KubeConfigOptions, loadKubeConfig } from "./kubeconfig.ts";

const AUTHORITY = new URL("../../tests/testdata/kube/foreign_ca.pem", import.meta.url);

/** A folder that is removed in the end. */
async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  await run(folder).finally(() => Deno.remove(folder, { recursive: true }));
}

interface Parts {
  readonly name?: string;
  readonly cluster?: string;
  readonly user?: string;
  readonly context?: string;
  readonly current?: string;
}

/** A kubeconfig of one entry of each; the parts are flow mappings of YAML without their braces. */
function config({ name = "dev", cluster = "", user = "", context = "", current = name }: Parts = {}): string {
  return [
    ...(current === "" ? [] : [`current-context: ${current}`]),
    `clusters: [ {name: ${name}, cluster: {server: "https://${name}.example:6443/"${
      cluster && `, ${cluster}`
    }}} ]`,
    `users: [ {name: ${name}, user: {${user}}} ]`,
    `contexts: [ {name: ${name}, context: {cluster: ${name}, user: ${name}${context && `, ${context}`}}} ]`,
  ].join("\n");
}

async function load(
  folder: string,
  text: string,
  options: Partial<KubeConfigOptions> = {},
): Promise<ClusterAccess> {
  const path = `${folder}/config`;
  await Deno.writeTextFile(path, text);
  return await loadKubeConfig({ path, env: () => undefined, ...options });
}

async function headersOf(access: ClusterAccess): Promise<Readonly<Record<string, string>>> {
  return (await access.credentials()).headers;
}

Deno.test("server, namespace and authority come from the context's entries", () =>
  inFolder(async (folder) => {
    const pem = await Deno.readTextFile(AUTHORITY);
    const access = await load(
      folder,
      config({ cluster: `certificate-authority-data: ${btoa(pem)}`, context: "namespace: shop" }),
    );
    assert.deepEqual([access.server, access.namespace, access.caCerts], ["https://dev.example:6443", "shop", [
      pem,
    ]]);
    await Deno.writeTextFile(`${folder}/ca.pem`, pem);
    const byFile = await load(folder, config({ cluster: "certificate-authority: ca.pem" }));
    assert.deepEqual([byFile.caCerts, byFile.namespace], [[pem], "default"]);
  }));

Deno.test("several files are one: the first to name something wins", () =>
  inFolder(async (folder) => {
    const [first, second, third] = [`${folder}/1`, `${folder}/2`, `${folder}/missing`];
    await Deno.writeTextFile(first, config({ user: "token: first", current: "" }));
    await Deno.writeTextFile(second, `${config({ user: "token: second" })}\n`);
    const env = (name: string) => name === "KUBECONFIG" ? [third, first, second].join(":") : undefined;
    assert.deepEqual(await headersOf(await loadKubeConfig({ env })), { Authorization: "Bearer first" });
    await Deno.writeTextFile(second, config({ name: "other", user: "token: other" }));
    assert.deepEqual(await headersOf(await loadKubeConfig({ env })), { Authorization: "Bearer other" });
    const chosen = await loadKubeConfig({ env, context: "dev" });
    assert.deepEqual(await headersOf(chosen), { Authorization: "Bearer first" });
  }));

Deno.test("the standard file is found at home, and else the process may be in a Pod", () =>
  inFolder(async (folder) => {
    const pod: Readonly<Record<string, string>> = {
      HOME: folder,
      KUBERNETES_SERVICE_HOST: "fd00::1",
      KUBERNETES_SERVICE_PORT: "443",
    };
    const options = { env: (name: string) => pod[name], serviceAccountFolder: folder };
    await assert.rejects(
      loadKubeConfig(options),
      /certificate-authority of the Pod's service account: .* no such file/,
    );
    await Deno.copyFile(AUTHORITY, `${folder}/ca.crt`);
    await Deno.writeTextFile(`${folder}/token`, "mounted\n");
    await Deno.writeTextFile(`${folder}/namespace`, "operators\n");
    const inside = await loadKubeConfig(options);
    assert.deepEqual([inside.server, inside.namespace], ["https://[fd00::1]:443", "operators"]);
    assert.deepEqual(await headersOf(inside), { Authorization: "Bearer mounted" });
    await Deno.mkdir(`${folder}/.kube`);
    await Deno.writeTextFile(`${folder}/.kube/config`, config());
    assert.equal((await loadKubeConfig(options)).server, "https://dev.example:6443");
  }));

Deno.test("users have a token, a password, or act as another", () =>
  inFolder(async (folder) => {
    const cases = [
      ["token: abc", { Authorization: "Bearer abc" }],
      ["username: é, password: b", { Authorization: `Basic ${new TextEncoder().encode("é:b").toBase64()}` }],
      ["token: abc, as: jane", { Authorization: "Bearer abc", "Impersonate-User": "jane" }],
      ["", {}],
    ] as const;
    for (const [user, headers] of cases) {
      assert.deepEqual(await headersOf(await load(folder, config({ user }))), headers);
    }
  }));

Deno.test("a token file is read again after a minute, or when the token was refused", () =>
  inFolder(async (folder) => {
    let now = 0;
    const write = (token: string) => Deno.writeTextFile(`${folder}/token`, token);
    await write("one\n");
    const access = await load(folder, config({ user: "tokenFile: token, token: ignored" }), {
      now: () => now,
    });
    await write("two");
    assert.deepEqual(await headersOf(access), { Authorization: "Bearer one" });
    now = 60_000;
    assert.deepEqual(await headersOf(access), { Authorization: "Bearer two" });
    await write("three");
    access.forget();
    assert.deepEqual(await headersOf(access), { Authorization: "Bearer three" });
    await Deno.remove(`${folder}/token`);
    access.forget();
    await assert.rejects(
      access.credentials(),
      /^KubeConfigError: Cannot read tokenFile of user "dev" .* no such file$/,
    );
    await write("four");
    assert.deepEqual(await headersOf(access), { Authorization: "Bearer four" });
  }));

Deno.test("an exec plugin's command counts from the kubeconfig's folder, and its failure is one line", () =>
  inFolder(async (folder) => {
    const exec =
      "exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin, env: [ {name: WHO, value: me} ]}";
    const access = await load(folder, config({ user: exec }));
    await assert.rejects(
      access.credentials(),
      /^KubeConfigError: The exec plugin \.\/plugin of user "dev" of .* failed: /,
    );
    const plugin = (lines: string) =>
      Deno.writeTextFile(`${folder}/plugin`, `#!/bin/sh\n${lines}\n`, { mode: 0o700 });
    await plugin("echo 'log in first' >&2; echo more >&2; exit 3");
    await assert.rejects(access.credentials(), /failed: log in first$/);
    await plugin("echo '{}'");
    await assert.rejects(access.credentials(), /failed: it printed no ExecCredential with a status$/);
    await plugin(`echo '{"status":{"token":"'$WHO'"}}'`);
    const [one, two] = await Promise.all([headersOf(access), headersOf(access)]);
    assert.deepEqual([one, two], [{ Authorization: "Bearer me" }, { Authorization: "Bearer me" }]);
    access.forget();
    await plugin(`echo '{"status":{"clientCertificateData":"cert","clientKeyData":"key"}}'`);
    assert.deepEqual(await access.credentials(), { headers: {}, certificate: { cert: "cert", key: "key" } });
  }));

Deno.test("what cannot be used is refused in one line that names file and entry", () =>
  inFolder(async (folder) => {
    const file = `${folder}/config`;
    const cluster = `cluster "dev" of kubeconfig ${file}`;
    const user = `user "dev" of kubeconfig ${file}`;
    const noPem = btoa("no PEM");
    const broken = btoa("-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n");
    const cases: readonly (readonly [string, string])[] = [
      ["clusters: [", `Kubeconfig ${file} is not valid: line 1: `],
      ["- a", `Kubeconfig ${file} is not valid: it holds no mapping`],
      ["clusters: [ {name: dev} ]", `Kubeconfig ${file} is not valid: clusters[0].cluster is missing`],
      ["", `No current-context in kubeconfig ${file}: name one with --context`],
      [config({ current: "prod" }), `No context "prod" in kubeconfig ${file} (there: dev)`],
      [config({ context: "cluster: x" }), `Kubeconfig ${file} is not valid: `],
      [
        config({ cluster: "insecure-skip-tls-verify: true" }),
        `insecure-skip-tls-verify of ${cluster} is not supported: `,
      ],
      [config({ cluster: "tls-server-name: x" }), `tls-server-name of ${cluster} is not supported: `],
      [config({ cluster: "proxy-url: ftp://x" }), `proxy-url of ${cluster} is not supported: "ftp://x" `],
      [
        config({ cluster: "certificate-authority: ca" }),
        `Cannot read certificate-authority of ${cluster}: ${folder}/ca: no such file`,
      ],
      [
        config({ cluster: `certificate-authority-data: ${noPem}` }),
        `certificate-authority-data of ${cluster} is not valid: it has to be PEM`,
      ],
      [
        config({ cluster: `certificate-authority-data: ${broken}` }),
        `certificate-authority of ${cluster} is not valid: `,
      ],
      [
        config({ user: "client-certificate: x, client-key: y" }),
        `Cannot read client-certificate of ${user}: ${folder}/x: no such file`,
      ],
      [
        config({ user: `client-certificate-data: ${broken}` }),
        `${user} has a client-certificate but no client-key`,
      ],
      [config({ user: `client-key-data: ${broken}` }), `${user} has a client-key but no client-certificate`],
      [
        config({ user: `client-certificate-data: ${broken}, client-key-data: ${broken}` }),
        `The client certificate of ${user} is not valid: `,
      ],
      [config({ user: "auth-provider: {name: oidc}" }), `auth-provider of ${user} is not supported: `],
      [config({ user: "token: t, as-groups: [ g ]" }), `as-groups of ${user} is not supported: `],
      [config().replace("https://dev", "dev"), `server of ${cluster} is not valid: "dev.example:6443`],
    ];
    for (const [text, words] of cases) {
      await assert.rejects(load(folder, text), (error) => {
        assert.ok(error instanceof KubeConfigError, `${text}\n${error}`);
        assert.ok(error.message.startsWith(words), `${error.message}\nis not\n${words}`);
        assert.ok(!error.message.includes("\n"), error.message);
        return true;
      });
    }
  }));

Deno.test("no file at all is said in one line", async () => {
  const env = (name: string) => name === "KUBECONFIG" ? "/no/such/file:/nor/this" : undefined;
  await assert.rejects(
    loadKubeConfig({ env }),
    /^KubeConfigError: KUBECONFIG names no file that exists: \/no\/such\/file, /,
  );
  await assert.rejects(
    loadKubeConfig({ env: () => undefined }),
    /^KubeConfigError: No kubeconfig found: give --kubeconfig/,
  );
  const path = "/no/such/file";
  const words = /^KubeConfigError: Cannot read kubeconfig: \/no\/such\/file: no such file$/;
  await assert.rejects(loadKubeConfig({ path, env: () => undefined }), words);
});
