/**
 * The real Cilium CRDs, so that tests have our policies validated by the schemas that clusters have: the YAML files out of
 * Cilium's own Go module, fetched once (nothing is built) and copied to the cache, since Go's module cache may be cleaned.
 */
import { cacheRoot, exists, type Progress, withLock } from "./cache.ts";
import { runGo } from "./build.ts";

const MODULE = "github.com/cilium/cilium@v1.20.2";
const FOLDERS = ["v2", "v2alpha1"];

/**
 * Paths of the Cilium CRD files (YAML, one CRD each), sorted. Fetches the module the first time (about 20 MB).
 * Throws MissingProgramsError when that needs Go and there is none.
 */
export async function ciliumCrds(onProgress?: Progress): Promise<readonly string[]> {
  const folder = `${cacheRoot()}/crds/${MODULE.replaceAll("/", "_")}`;
  if (!await exists(folder)) {
    await withLock(`${folder}.lock`, () => fetchInto(folder, onProgress), onProgress);
  }
  const names = await Array.fromAsync(Deno.readDir(folder), (entry) => entry.name);
  return names.sort().map((name) => `${folder}/${name}`);
}

async function fetchInto(folder: string, onProgress?: Progress): Promise<void> {
  if (await exists(folder)) return;
  onProgress?.(`Fetching the Cilium CRDs out of the Go module ${MODULE} (once)`);
  const source = `${await moduleFolder()}/pkg/k8s/apis/cilium.io/client/crds`;
  const unfinished = `${folder}.unfinished`;
  await Deno.mkdir(unfinished, { recursive: true });
  for (const version of FOLDERS) {
    for await (const { name } of Deno.readDir(`${source}/${version}`)) {
      if (!name.endsWith(".yaml")) continue;
      await Deno.writeTextFile(
        `${unfinished}/${name}`,
        await Deno.readTextFile(`${source}/${version}/${name}`),
      );
    }
  }
  await Deno.rename(unfinished, folder);
}

async function moduleFolder(): Promise<string> {
  const answer: unknown = JSON.parse(await runGo(["mod", "download", "-json", MODULE], cacheRoot()));
  if (typeof answer === "object" && answer !== null && "Dir" in answer && typeof answer.Dir === "string") {
    return answer.Dir;
  }
  throw new Error(`\`go mod download -json ${MODULE}\` named no folder`);
}
