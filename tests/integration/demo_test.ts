/**
 * `deno task demo` as a person runs it: to its end, on a cluster that stays, and cut short. Each run has a temporary folder of its own: what is in it
 * afterwards, and every process that names it, was left behind.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { startControlPlane } from "../../tools/control_plane/control_plane.ts";
import { runKubectl } from "../../tools/control_plane/kubectl.ts";

const DEMO = fileURLToPath(new URL("../../tools/demo.ts", import.meta.url));

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A signal that is sent once stdout holds a text. */
interface Interruption {
  readonly at: string;
  readonly signal: Deno.Signal;
}

/** Runs the demo and holds that nothing of it is left. */
async function runDemo(args: readonly string[], interruption?: Interruption): Promise<Run> {
  const folder = await Deno.makeTempDir({ prefix: "generic-operator-demo-test-" });
  try {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "--allow-all", DEMO, ...args],
      env: { TMPDIR: folder },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    let stdout = "";
    let open = interruption; // a second signal would end it at once
    const reading = async () => {
      const decoder = new TextDecoder();
      for await (const bytes of child.stdout) {
        stdout += decoder.decode(bytes, { stream: true });
        if (open !== undefined && stdout.includes(open.at)) {
          child.kill(open.signal);
          open = undefined;
        }
      }
    };
    const [stderr, status] = await Promise.all([new Response(child.stderr).text(), child.status, reading()]);
    const run = { code: status.code, stdout, stderr };
    const told = JSON.stringify(run, null, 2).replaceAll("\\n", "\n");
    assert.deepEqual(
      await Array.fromAsync(Deno.readDir(folder), ({ name }) => name),
      [],
      `files are left: ${told}`,
    );
    assert.deepEqual(await processesThatName(folder), [], `processes are left: ${told}`);
    return run;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Command lines. Those of the control plane and of the operator name their files. */
async function processesThatName(folder: string): Promise<readonly string[]> {
  const { stdout } = await new Deno.Command("ps", { args: ["-A", "-ww", "-o", "pid=,args="] }).output();
  return new TextDecoder().decode(stdout).split("\n").filter((line) => line.includes(folder));
}

Deno.test("the demo runs to its end, and says what it saw", async () => {
  const { code, stdout, stderr } = await runDemo([]);
  assert.equal(code, 0, `${stdout}\n${stderr}`);
  assert.match(stdout, /✔ 3 instances Ready, \d+ objects, .+ after the first kubectl apply/);
  assert.match(stdout, /^ {3}SecureNamespace shop-dev {2}Ready, revision 1, (\d+) of \1 objects ready$/m);
  assert.match(stdout, /^ {4}├─ ✔ ResourceQuota shop-dev\/shop-dev-quota$/m);
  assert.match(stdout, /✔ There again \d+ ms after the delete was sent/);
  assert.match(stdout, /✔ "baseline" again \d+ ms after the edit was sent/);
  assert.match(stdout, /✔ Quota changed and Ready again after .+, as revision 2/);
  assert.match(stdout, /Ready=True {2}Applied: \d+ objects are as rendered/);
  assert.match(
    stdout,
    /revision 2 {2}.+ {2}spec by demo {2}generation 2\n {7}spec\.quotas\.objects\.pods: 5 -> 12/,
  );
  assert.match(stdout, /✔ All \d+ objects and the SecureNamespace are gone after/);
  assert.match(stdout, /✔ Done in .+; nothing is left behind\n$/);
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(stdout, /\x1b/, "colours belong on a terminal only");
});

Deno.test("on a cluster that stays it makes what is missing, removes exactly that, also after Ctrl-C, and refuses a place that is taken", async () => {
  await using controlPlane = await startControlPlane();
  const { kubeconfigPath: kubeconfig } = controlPlane;
  const kubectl = (...args: readonly string[]) => runKubectl(args, { kubeconfig });
  const inventory = async () => [
    await kubectl("get", "crd", "-o", "name"),
    await kubectl("get", "namespaces,clusterroles,clusterrolebindings", "-o", "name"),
  ];
  const before = await inventory();
  const { code, stdout, stderr } = await runDemo(["--kubeconfig", kubeconfig]);
  assert.equal(code, 0, `${stdout}\n${stderr}`);
  assert.match(stdout, /makes {4}CustomResourceDefinition\S* securenamespaces\.secure-ns\.example\.com/);
  assert.match(stdout, /and removes at the end all that it made/);
  assert.deepEqual(await inventory(), before);

  const interrupted = await runDemo(["--kubeconfig", kubeconfig], {
    at: "Below each is what",
    signal: "SIGINT",
  });
  assert.equal(interrupted.code, 1);
  assert.deepEqual(await inventory(), before, `${interrupted.stdout}\n${interrupted.stderr}`);

  await kubectl("create", "namespace", "shop-dev");
  const refused = await runDemo(["--kubeconfig", kubeconfig]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /There is a Namespace shop-dev already, .+ nothing was changed/);
  assert.equal((await inventory())[0], before[0]);
});

Deno.test("Ctrl-C in the middle ends it tidily, with code 1", async () => {
  const { code, stderr } = await runDemo([], { at: "Below each is what", signal: "SIGINT" });
  assert.equal(code, 1);
  assert.match(stderr, /Stopped \(got SIGINT\)/);
});

Deno.test("with --keep it stays until it is told to stop, which is no failure", async () => {
  const { code, stdout } = await runDemo(["--keep"], { at: "To stop: Ctrl-C here", signal: "SIGTERM" });
  assert.equal(code, 0, stdout);
  assert.match(stdout, /^ {3}export KUBECONFIG='.+\/kubeconfig'$/m);
});

Deno.test("wrong words are code 2 and one line; a cluster out of reach is code 1 and the step that failed", async () => {
  const wrong = await runDemo(["--kep"]);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /^Unknown option '--kep'.*\(see --help\)\n$/s);
  const unreachable = await runDemo(["--kubeconfig", "/does/not/exist"]);
  assert.equal(unreachable.code, 1);
  assert.match(unreachable.stderr, /^Step 1 \(A cluster of your own\) failed: .*\/does\/not\/exist/);
});
