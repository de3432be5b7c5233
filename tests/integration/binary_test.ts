/** The compiled program does what the sources do: templates in their cage, the operator on a real API server, a clean end. */
import assert from "node:assert/strict";
import { conditionOf, connect, templates, toy, until } from "./harness.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const DENORT = `${ROOT}../shared/tools/denort`;
const BINARY = `${ROOT}dist/generic-operator`;

/** What compiling needs where Deno's download server is out of reach; undefined when there is no such help here. */
async function compileEnvironment(): Promise<Record<string, string> | undefined> {
  const { DENO_COMPILE, DENORT_BIN } = Deno.env.toObject();
  if (DENO_COMPILE !== undefined && DENORT_BIN !== undefined) return { DENO_COMPILE, DENORT_BIN };
  if (!await Deno.stat(DENORT).then(() => true, () => false)) return undefined;
  const { stdout } = await new Deno.Command(DENORT, { stderr: "inherit" }).output();
  const words = new TextDecoder().decode(stdout).matchAll(/(\w+)=(\S+)/g);
  return Object.fromEntries(Array.from(words, ([, name = "", value = ""]) => [name, value]));
}

const environment = await compileEnvironment();
if (environment === undefined) console.log(`SKIPPED: the compiled program: no DENORT_BIN, and no ${DENORT}`);

Deno.test({
  name: "the compiled program",
  ignore: environment === undefined,
  fn: async (t) => {
    const compiled = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--allow-all", `${ROOT}tools/compile.ts`],
      env: environment ?? {},
      stdout: "null",
      stderr: "inherit",
    }).output();
    assert.equal(compiled.code, 0);
    const folder = await Deno.makeTempDir({ prefix: "generic-operator-test-" });
    const render = async (template: string) => {
      await Deno.writeTextFile(`${folder}/t.yaml`, template);
      await Deno.writeTextFile(`${folder}/v.yaml`, "name: one\n");
      const args = ["render", "--template", `${folder}/t.yaml`, "--values", `${folder}/v.yaml`];
      const { code, stdout, stderr } = await new Deno.Command(BINARY, { args, clearEnv: true, cwd: folder })
        .output();
      const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
      return { code, stdout: text(stdout), stderr: text(stderr) };
    };

    await t.step("renders in its cage", async () => {
      const good = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: [{ name }]}\n";
      assert.deepEqual(await render(good), {
        code: 0,
        stdout: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: one\n",
        stderr: "",
      });
    });

    await t.step("cuts an endless loop at its limit", async () => {
      const { code, stderr } = await render(
        "[% for a in range(99999) %][% for b in range(99999) %][% endfor %][% endfor %]",
      );
      assert.equal(code, 1);
      assert.match(stderr, /t\.yaml line 1.*limit/);
    });

    await t.step("serves instances, and ends with 0 on SIGTERM", async () => {
      const cluster = await connect();
      const thing = toy();
      await cluster.apply(thing.crd);
      const impl = await templates(thing, {
        "core/config.yaml":
          "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: [{ name }], namespace: default}\n",
      }, "namespaces: [default]");
      const name = thing.group.split(".")[0] ?? "";
      const operator = new Deno.Command(BINARY, {
        args: [
          "--implementation",
          impl.folder,
          "--kubeconfig",
          cluster.kubeconfigPath,
          "--namespace",
          "default",
        ],
        clearEnv: true,
        stdout: "null",
        stderr: "null",
      }).spawn();
      try {
        await until("the CRD is served", () => cluster.mapper.resourceFor(thing.ref("x")));
        await cluster.apply(thing.instance(name, {}));
        const isReady = async () =>
          conditionOf(await cluster.get(thing.ref(name)), "Ready")?.status === "True";
        await until("Ready", async () => await isReady() || undefined);
        await cluster.remove(thing.ref(name));
        await until("gone", async () => await cluster.get(thing.ref(name)) === undefined || undefined);
      } finally {
        operator.kill("SIGTERM");
        assert.equal((await operator.status).code, 0);
        await impl.remove();
        cluster.close();
      }
    });
    await Deno.remove(folder, { recursive: true });
  },
});
