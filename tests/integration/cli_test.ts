/** The program as people meet it: what goes wrong is one clear line on stderr and an exit code, never a stack trace; SIGTERM is a good end. */
import assert from "node:assert/strict";
import { kubectl, sharedControlPlane, uniqueName } from "./control_plane.ts";
import { configMapTemplate, fixture } from "./fixture.ts";
import { runProcess, startProcess } from "./operator_process.ts";

interface Case {
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly code: 1 | 2;
  readonly says: RegExp;
}

/** A folder with files, gone after the test. */
async function inFolder(
  files: Readonly<Record<string, string>>,
  test: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "generic-operator-cli-" });
  try {
    for (const [name, text] of Object.entries(files)) {
      const path = `${folder}/${name}`;
      await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
      await Deno.writeTextFile(path, text);
    }
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A kubeconfig for the shared control plane, or another address, with a token or none. */
function kubeconfigFor(
  text: string,
  { server, token }: { readonly server?: string; readonly token?: string },
): string {
  const authority = /certificate-authority-data: (\S+)/.exec(text)?.[1] ?? "";
  const address = server ?? /server: (\S+)/.exec(text)?.[1] ?? "";
  return `
apiVersion: v1
kind: Config
current-context: c
clusters: [{name: c, cluster: {server: "${address}", certificate-authority-data: ${authority}}}]
users: [{name: u, user: {token: "${token ?? "none"}"}}]
contexts: [{name: c, context: {cluster: c, user: u}}]
`;
}

/** An address where nothing listens. */
function nobody(): string {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return `https://127.0.0.1:${listener.addr.port}`;
}

/** The lines of stderr that are no log lines. */
function plainLines(stderr: string): readonly string[] {
  return stderr.split("\n").filter((line) => line !== "" && !line.startsWith("{"));
}

async function check({ args, env = {}, code, says }: Case): Promise<void> {
  const ended = await runProcess(args, env);
  const lines = plainLines(ended.stderr);
  assert.equal(lines.length, 1, `one line, but:\n${ended.stderr}`);
  assert.match(lines[0] ?? "", says);
  assert.doesNotMatch(ended.stderr, /\bat (async )?\S*(file:|\/)\S+:\d+:\d+/, "no stack trace");
  assert.equal(ended.stdout, "");
  assert.equal(ended.code, code, ended.stderr);
}

Deno.test("command line: wrong use is one clear line on stderr", async (t) => {
  const { kubeconfigPath, kubeconfig } = await sharedControlPlane();
  const account = uniqueName("nobody");
  await kubectl(["create", "serviceaccount", account]);
  const token = (await kubectl(["create", "token", account])).trim();
  const files = {
    "good/implementation.yaml":
      `crd: {group: cilium.io, version: v2, kind: CiliumNetworkPolicy, plural: ciliumnetworkpolicies}\ntemplates: [core/a.yaml]\n`,
    "good/core/a.yaml": "",
    "empty/readme": "",
    "unreadable-kubeconfig": "a: [b",
    "refused": kubeconfigFor(kubeconfig, { server: nobody() }),
    "forbidden": kubeconfigFor(kubeconfig, { token }),
    "unauthorized": kubeconfigFor(kubeconfig, { token: "wrong" }),
  };
  await inFolder(files, async (folder) => {
    const good = ["--implementation", `${folder}/good`];
    const cluster = ["--kubeconfig", kubeconfigPath];
    const cases: readonly Case[] = [
      {
        name: "unknown flag",
        args: ["--implementaton", "x"],
        code: 2,
        says: /unknown option '--implementaton'.*--implementation/,
      },
      { name: "missing implementation", args: cluster, code: 2, says: /missing --implementation/ },
      { name: "unknown mode", args: ["--mode=operatr", ...good], code: 2, says: /operatr.*operator/ },
      {
        name: "not a number",
        args: [...good, "--workers", "many"],
        code: 2,
        says: /--workers.*whole number/,
      },
      { name: "unknown command", args: ["rendr"], code: 2, says: /rendr/ },
      {
        name: "a folder that is not there",
        args: [...cluster, "--implementation", `${folder}/nowhere`],
        code: 2,
        says: /nowhere: No implementation there.*implementation\.yaml/,
      },
      {
        name: "a folder without an implementation",
        args: [...cluster, "--implementation", `${folder}/empty`],
        code: 2,
        says: /empty: No implementation there/,
      },
      {
        name: "a source that is none",
        args: [...cluster, "--implementation", "configmap:only-a-name"],
        code: 2,
        says: /configmap:only-a-name.*configmap:NAMESPACE\/NAME/,
      },
      {
        name: "a kubeconfig that is not there",
        args: [...good, "--kubeconfig", `${folder}/nowhere`],
        code: 2,
        says: /kubeconfig.*nowhere/i,
      },
      {
        name: "KUBECONFIG names nothing",
        args: good,
        env: { KUBECONFIG: `${folder}/nowhere` },
        code: 2,
        says: /KUBECONFIG names no file that exists.*nowhere/,
      },
      {
        name: "a kubeconfig that cannot be read",
        args: [...good, "--kubeconfig", `${folder}/unreadable-kubeconfig`],
        code: 2,
        says: /Kubeconfig .*unreadable-kubeconfig is not valid/,
      },
      {
        name: "an unknown context",
        args: [...good, ...cluster, "--context", "staging"],
        code: 2,
        says: /No context "staging" in kubeconfig .*\(there: .+\)/,
      },
      {
        name: "a refused connection",
        args: [...good, "--kubeconfig", `${folder}/refused`, "--startup-timeout", "1"],
        code: 1,
        says: /https:\/\/127\.0\.0\.1:\d+.*[Rr]efused/,
      },
      {
        name: "forbidden",
        args: [...good, "--kubeconfig", `${folder}/forbidden`, "--namespace", "default"],
        code: 1,
        says: new RegExp(`forbidden.*${account}|${account}.*forbidden`, "i"),
      },
      {
        name: "a token that nobody knows",
        args: [...good, "--kubeconfig", `${folder}/unauthorized`],
        code: 1,
        says: /[Uu]nauthorized/,
      },
    ];
    for (const one of cases) await t.step(one.name, () => check(one));
  });
  await kubectl(["delete", "serviceaccount", account]);
});

Deno.test("command line: --help and --version end with 0 and say it on stdout", async () => {
  const help = await runProcess(["--help"]);
  assert.equal(help.code, 0);
  assert.match(help.stdout, /^Usage: generic-operator /);
  for (const flag of ["--implementation", "--kubeconfig", "--namespace", "--mode", "Examples:"]) {
    assert.ok(help.stdout.includes(flag), flag);
  }
  assert.equal(help.stderr, "");
  const version = await runProcess(["--version"]);
  assert.equal(version.code, 0);
  assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
});

Deno.test("command line: SIGTERM is a good end, idle and busy", async (t) => {
  await using world = await fixture({
    files: Object.fromEntries(
      ["a", "b", "c"].map((suffix) => [`core/${suffix}.yaml`, configMapTemplate(suffix)]),
    ),
  });
  const { cluster, impl, namespace } = world;
  const args = [
    "--mode=operator",
    "--implementation",
    impl.folder,
    "--kubeconfig",
    cluster.kubeconfigPath,
    "--namespace",
    namespace,
  ];

  await t.step("idle", async () => {
    await using process = startProcess(args);
    await process.says(/Serves things/, 30_000);
    process.kill("SIGTERM");
    const { code, signal, stderr } = await process.ended;
    assert.deepEqual({ code, signal, plain: plainLines(stderr) }, { code: 0, signal: null, plain: [] });
  });

  await t.step("while it waits for an API server that is not there", async () => {
    const { kubeconfig } = await sharedControlPlane();
    await inFolder(
      { refused: kubeconfigFor(kubeconfig, { server: nobody() }) },
      async (folder) => {
        await using process = startProcess([
          "--implementation",
          impl.folder,
          "--kubeconfig",
          `${folder}/refused`,
        ]);
        await process.says(/out of reach/, 30_000);
        process.kill("SIGTERM");
        assert.equal((await process.ended).code, 0);
      },
    );
  });

  await t.step(
    "busy: what is under way is finished and recorded, and the rest is done at the next start",
    async () => {
      const names = Array.from({ length: 30 }, (_, i) => `busy-${i}`);
      for (const name of names) await world.put(name, { v: "1" });
      {
        await using process = startProcess(args);
        await process.says(/created ConfigMap/, 30_000);
        process.kill("SIGTERM");
        const { code, signal, stderr } = await process.ended;
        assert.deepEqual(
          { code, signal, plain: plainLines(stderr) },
          { code: 0, signal: null, plain: [] },
          stderr,
        );
        const made = await cluster.list(world.configMap("x"), {
          namespace,
          labelSelector: "generic-operator.io/owner",
        });
        const recorded = await cluster.list(world.configMap("x"), {
          namespace,
          labelSelector: "generic-operator.io/component=record",
        });
        const known = recorded.map((record) => JSON.stringify(record.data)).join();
        for (const { metadata: { name, uid } } of made) {
          assert.ok(
            known.includes(uid ?? "-"),
            `${name} is in a record`,
          );
        }
      }
      await using process = startProcess(args);
      await Promise.all(names.map((name) => world.ready(name, 30_000)));
      process.kill("SIGTERM");
      assert.equal((await process.ended).code, 0);
    },
  );
});
