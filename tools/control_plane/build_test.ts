/** Where programs are looked for, and what is said when there are none. Nothing is built here. */
import assert from "node:assert/strict";
import { controlPlanePrograms, linkerFlags, MissingProgramsError } from "./build.ts";

Deno.test("KUBEBUILDER_ASSETS is used as it is when complete, and named with what it lacks when not", async () => {
  const folder = await Deno.makeTempDir();
  try {
    for (const name of ["etcd", "kube-apiserver", "kubectl"]) {
      await Deno.writeTextFile(`${folder}/${name}`, "");
    }
    await assert.rejects(controlPlanePrograms({ assets: folder }), (error) => {
      assert(error instanceof MissingProgramsError);
      assert.match(
        error.message,
        /lacks kube-controller-manager; put them there, or unset KUBEBUILDER_ASSETS/,
      );
      assert(error.message.includes(folder));
      return true;
    });
    await Deno.writeTextFile(`${folder}/kube-controller-manager`, "");
    assert.deepEqual(await controlPlanePrograms({ assets: folder }), {
      etcd: `${folder}/etcd`,
      apiServer: `${folder}/kube-apiserver`,
      controllerManager: `${folder}/kube-controller-manager`,
      kubectl: `${folder}/kubectl`,
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the programs get the version that go.mod requires", async () => {
  const flags = linkerFlags(await Deno.readTextFile(new URL("./go/go.mod", import.meta.url)));
  assert.match(
    flags,
    /-X k8s\.io\/component-base\/version\.gitVersion=v1\.\d+\.\d+ .*gitMajor=1 .*gitMinor=\d+ /,
  );
  assert.match(flags, /-X k8s\.io\/client-go\/pkg\/version\.gitVersion=v1\.\d+\.\d+ /);
  assert.throws(() => linkerFlags("module x"), /requires no k8s\.io\/kubernetes/);
});

Deno.test("every staging module is at the release of the kubernetes module", async () => {
  const goMod = await Deno.readTextFile(new URL("./go/go.mod", import.meta.url));
  const version = /k8s\.io\/kubernetes v1\.(\S+)/.exec(goMod)?.[1];
  const replaced = [...goMod.matchAll(/^\t(\S+) => (\S+) (\S+)$/gm)];
  assert(replaced.length > 30);
  for (const [, from, to, at] of replaced) assert.deepEqual([to, at], [from, `v0.${version}`]);
});

Deno.test("without Go the message says what to install or to set", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const program = `import { controlPlanePrograms } from "${new URL("./build.ts", import.meta.url)}";
      await controlPlanePrograms().catch((error) => console.log(error.name, error.message));`;
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", program],
      env: { PATH: folder, XDG_CACHE_HOME: folder, DENO_DIR: `${folder}/deno`, KUBEBUILDER_ASSETS: "" },
    }).output();
    assert.match(
      new TextDecoder().decode(stdout),
      /^MissingProgramsError There is no `go` on PATH .* install Go 1\.26 or newer, or set KUBEBUILDER_ASSETS/,
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
