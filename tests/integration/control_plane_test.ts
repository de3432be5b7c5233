/**
 * The control plane itself: that the shared one does what a cluster does (namespaces end, quotas are counted, garbage is
 * collected, Cilium's schemas hold), and that one of a process' own stops, restarts and ends without leaving anything.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { auditOffset, countRequests, readAudit } from "../../tools/control_plane/audit.ts";
import { exists } from "../../tools/control_plane/cache.ts";
import { startControlPlane } from "../../tools/control_plane/control_plane.ts";
import { runKubectl } from "../../tools/control_plane/kubectl.ts";
import { kubectl, sharedControlPlane, uniqueName } from "./control_plane.ts";

const CLI = fileURLToPath(new URL("../../tools/controlplane.ts", import.meta.url));
const WRAPPER = fileURLToPath(new URL("../../tools/with_control_plane.ts", import.meta.url));

async function withNamespace(test: (namespace: string) => Promise<void>): Promise<void> {
  const namespace = uniqueName("control-plane");
  await kubectl(["create", "namespace", namespace]);
  try {
    await test(namespace);
  } finally {
    await kubectl(["delete", "namespace", namespace, "--wait=false", "--ignore-not-found"]);
  }
}

async function eventually(what: string, look: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!await look()) {
    if (performance.now() > deadline) throw new Error(`Not within 60 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

Deno.test("the API server says which version it is", async () => {
  const { url } = await sharedControlPlane();
  assert.match(url, /^https:\/\/127\.0\.0\.1:\d+$/);
  assert.match(await kubectl(["version"]), /Server Version: v1\.\d+\.\d+\n/);
});

Deno.test("a namespace goes away with what is in it", async () => {
  await withNamespace(async (namespace) => {
    await kubectl(["create", "configmap", "inside", `--namespace=${namespace}`]);
    await kubectl(["delete", "namespace", namespace, "--timeout=60s"]);
    assert.equal(await kubectl(["get", "namespace", namespace, "--ignore-not-found"]), "");
  });
});

Deno.test("a quota is counted", async () => {
  await withNamespace(async (namespace) => {
    await kubectl(["create", "quota", "q", "--hard=configmaps=5", `--namespace=${namespace}`]);
    const status = "jsonpath={.status.used.configmaps}";
    await eventually(
      "the quota counts the one ConfigMap that each namespace has",
      async () => await kubectl(["get", "quota", "q", `--namespace=${namespace}`, "-o", status]) === "1",
    );
  });
});

Deno.test("what a custom resource owns is collected as garbage", async () => {
  const group = `${uniqueName("group")}.example.com`;
  const crd = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `toys.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "toys", singular: "toy", kind: "Toy" },
      versions: [{
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object" } },
      }],
    },
  };
  await kubectl(["create", "-f", "-"], { stdin: JSON.stringify(crd) });
  try {
    await kubectl(["wait", "--for=condition=Established", `crd/toys.${group}`]);
    await withNamespace(async (namespace) => {
      const inNamespace = `--namespace=${namespace}`;
      const toy = { apiVersion: `${group}/v1`, kind: "Toy", metadata: { name: "owner" } };
      const create = ["create", inNamespace, "-o", "jsonpath={.metadata.uid}", "-f", "-"];
      const uid = await kubectl(create, { stdin: JSON.stringify(toy) });
      const ownerReferences = [{ apiVersion: toy.apiVersion, kind: "Toy", name: "owner", uid }];
      const owned = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "owned", ownerReferences } };
      await kubectl(create, { stdin: JSON.stringify(owned) });
      await kubectl(["delete", inNamespace, `toys.${group}`, "owner"]);
      const get = ["get", inNamespace, "configmap", "owned", "--ignore-not-found"];
      await eventually("the ConfigMap goes with its owner", async () => await kubectl(get) === "");
    });
  } finally {
    await kubectl(["delete", "crd", `toys.${group}`, "--wait=false"]);
  }
});

Deno.test("Cilium's own schema judges a policy", async () => {
  await withNamespace(async (namespace) => {
    const policy = (spec: object) => ({
      stdin: JSON.stringify({
        apiVersion: "cilium.io/v2",
        kind: "CiliumNetworkPolicy",
        metadata: { name: "p", namespace },
        spec,
      }),
    });
    await kubectl(["create", "-f", "-"], policy({ endpointSelector: {}, ingress: [{}] }));
    await assert.rejects(
      kubectl(["apply", "--server-side", "--validate=false", "-f", "-"], policy({ endpointSelector: "all" })),
      /spec\.endpointSelector/,
    );
  });
});

Deno.test("the audit log tells who wrote what", async () => {
  const { auditLogPath } = await sharedControlPlane();
  await withNamespace(async (namespace) => {
    const from = await auditOffset(auditLogPath);
    await kubectl(["create", "configmap", "a", `--namespace=${namespace}`]);
    await kubectl(["get", "configmap", "a", `--namespace=${namespace}`]);
    await eventually("both requests are in the log", async () => {
      const events = await readAudit(auditLogPath, { from, user: "administrator", userAgent: "kubectl/" });
      const counts = countRequests(events.filter((event) => event.namespace === namespace));
      return counts.writes === 1 && counts.reads === 1 && counts.byResource["configmaps"]?.["create"] === 1;
    });
  });
});

Deno.test("the API server can be stopped and started again, with its data and at its address", async () => {
  await using controlPlane = await startControlPlane({ auditLog: true });
  const kubeconfig = controlPlane.kubeconfigPath;
  await runKubectl(["create", "configmap", "kept"], { kubeconfig });
  await controlPlane.stopApiServer();
  await assert.rejects(runKubectl(["get", "--raw", "/readyz"], { kubeconfig }), /refused/);
  await controlPlane.startApiServer();
  assert.match(await runKubectl(["get", "configmap", "kept"], { kubeconfig }), /^NAME/);
  const writes =
    countRequests(await readAudit(controlPlane.auditLogPath ?? "", { userAgent: "kubectl/" })).writes;
  assert.equal(writes, 1); // one log over the restart
});

Deno.test("nothing is left after stop", async () => {
  const controlPlane = await startControlPlane({ controllerManager: false });
  assert(await exists(controlPlane.folder));
  await controlPlane.stop();
  assert(!await exists(controlPlane.folder));
  if (Deno.build.os === "linux") assert.deepEqual(await commandLinesWith(controlPlane.folder), []);
});

Deno.test("the command line tool ends by SIGINT, and its folder with it", async () => {
  const { process, folder } = await startTool();
  process.kill("SIGINT");
  assert.equal((await process.status).code, 0);
  assert(!await exists(folder));
});

Deno.test({
  name: "the programs end when the tool is killed by SIGKILL",
  ignore: Deno.build.os !== "linux", // looks into /proc
  fn: async () => {
    const { process, folder } = await startTool();
    assert((await commandLinesWith(folder)).length >= 3);
    process.kill("SIGKILL");
    await process.status;
    await eventually("no process is left", async () => (await commandLinesWith(folder)).length === 0);
    await (await startControlPlane({ controllerManager: false })).stop();
    assert(!await exists(folder)); // the next one has tidied up
  },
});

for (const launchers of [1, 2]) {
  Deno.test({
    name: `the tool ends when the outermost of ${launchers} launchers is killed`,
    ignore: Deno.build.os !== "linux", // looks into /proc
    fn: async () => {
      const launcher = ["sh", "-c", `"$@" & wait`, "sh"]; // dies without a word to its child
      const shells = Array.from({ length: launchers }, () => launcher).flat().slice(1);
      const { process, folder } = await startTool("sh", [...shells, Deno.execPath(), "run", "-A", CLI]);
      process.kill("SIGKILL");
      await process.status;
      await eventually("no process is left", async () => (await commandLinesWith(folder)).length === 0);
      await eventually("the folder is gone", async () => !await exists(folder));
    },
  });
}

Deno.test("a command runs with a control plane around it, and its code is the code of all", async () => {
  const script =
    `test -f "$GENERIC_OPERATOR_TEST_KUBECONFIG" && test -f "$GENERIC_OPERATOR_TEST_AUDIT_LOG" && echo "$KUBECONFIG"; exit 7`;
  const args = ["run", "-A", WRAPPER, "--", "sh", "-c", script];
  const output = await new Deno.Command(Deno.execPath(), { args }).output();
  assert.equal(output.code, 7);
  const kubeconfig = new TextDecoder().decode(output.stdout).trim();
  assert.match(kubeconfig, /\/kubeconfig$/);
  assert(!await exists(kubeconfig));
});

Deno.test("wrong use is one line on stderr and code 2", async () => {
  for (const args of [["--foo"], ["--crds", "calico"], ["--parent", "x"]]) {
    const output = await new Deno.Command(Deno.execPath(), { args: ["run", "-A", CLI, ...args] }).output();
    assert.equal(output.code, 2);
    assert.match(new TextDecoder().decode(output.stderr), /^[^\n]+\(see --help\)\n$/);
  }
});

/** Starts the tool and waits for what it prints; `folder` is that of its control plane. */
async function startTool(program = Deno.execPath(), args = ["run", "-A", CLI]) {
  const process = new Deno.Command(program, { args, stdout: "piped", stderr: "null" }).spawn();
  const reader = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value = "" } = await reader.read();
  await reader.cancel();
  const folder = /^export KUBECONFIG='(.*)\/kubeconfig'\n/.exec(value)?.[1];
  assert(folder !== undefined, `The tool printed: ${value}`);
  return { process, folder };
}

/** Command lines of all processes that name `text`. */
async function commandLinesWith(text: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const line = await Deno.readTextFile(`/proc/${name}/cmdline`).catch(() => ""); // may have ended meanwhile
    if (line.includes(text)) found.push(line.replaceAll("\0", " "));
  }
  return found;
}
