/**
 * Paths of the programs of a control plane: from `KUBEBUILDER_ASSETS` when set, else from the cache, else built once from
 * Go modules (`go/go.mod` pins every version) into the cache, with progress.
 *
 * They are built, not downloaded as binaries, since Go modules come through any module proxy with their checksums, and
 * air-gapped places have one; setup-envtest's archives lack kube-controller-manager anyway.
 */
import { fileURLToPath } from "node:url";
import { cacheRoot, exists, type Progress, versionsDigest, withLock } from "./cache.ts";

/** Absolute paths of the programs. */
export interface ControlPlanePrograms {
  readonly etcd: string;
  readonly apiServer: string;
  readonly controllerManager: string;
  readonly kubectl: string;
}

/** Where to look for the programs, and whom to tell. */
export interface ProgramsOptions {
  /** A folder that holds all of them. Default: `$KUBEBUILDER_ASSETS`; when that is unset or empty, the cache. */
  readonly assets?: string;
  /** Takes lines for the person who waits for a build. Default: none are given. */
  readonly onProgress?: Progress;
}

/** Thrown when the programs can neither be found nor built; the message says what to do. */
export class MissingProgramsError extends Error {
  override readonly name = "MissingProgramsError";
}

const MODULE_FOLDER = fileURLToPath(new URL("./go/", import.meta.url));

/** Name of the file and Go package of each program, in the order of building. */
const PROGRAMS = [
  { file: "etcd", goPackage: "go.etcd.io/etcd/server/v3" },
  { file: "kube-apiserver", goPackage: "k8s.io/kubernetes/cmd/kube-apiserver" },
  { file: "kube-controller-manager", goPackage: "k8s.io/kubernetes/cmd/kube-controller-manager" },
  { file: "kubectl", goPackage: "k8s.io/kubernetes/cmd/kubectl" },
] as const;

/**
 * The programs of the control plane; builds what the cache lacks, which takes about five minutes on two cores the first time.
 * Throws MissingProgramsError when `KUBEBUILDER_ASSETS` is incomplete, when there is no Go, or when a build fails.
 */
export async function controlPlanePrograms(options: ProgramsOptions = {}): Promise<ControlPlanePrograms> {
  const { assets = Deno.env.get("KUBEBUILDER_ASSETS"), onProgress } = options;
  if (assets) return await fromAssets(assets);
  const build = await readModule();
  if ((await missingIn(build.folder)).length > 0) {
    await withLock(`${build.folder}/.lock`, () => buildMissing(build, onProgress), onProgress);
  }
  return programsIn(build.folder);
}

async function fromAssets(folder: string): Promise<ControlPlanePrograms> {
  const missing = (await missingIn(folder)).map((program) => program.file);
  if (missing.length === 0) return programsIn(folder);
  throw new MissingProgramsError(
    `KUBEBUILDER_ASSETS (${folder}) lacks ${missing.join(", ")}; put them there, ` +
      `or unset KUBEBUILDER_ASSETS to have all of them built from Go modules`,
  );
}

function programsIn(folder: string): ControlPlanePrograms {
  return {
    etcd: `${folder}/etcd`,
    apiServer: `${folder}/kube-apiserver`,
    controllerManager: `${folder}/kube-controller-manager`,
    kubectl: `${folder}/kubectl`,
  };
}

async function missingIn(folder: string): Promise<readonly (typeof PROGRAMS)[number][]> {
  const found = await Promise.all(PROGRAMS.map((program) => exists(`${folder}/${program.file}`)));
  return PROGRAMS.filter((_, index) => !found[index]);
}

interface ModuleBuild {
  readonly folder: string;
  readonly ldflags: string;
}

async function readModule(): Promise<ModuleBuild> {
  const goMod = await Deno.readTextFile(`${MODULE_FOLDER}go.mod`);
  const goSum = await Deno.readTextFile(`${MODULE_FOLDER}go.sum`);
  const ldflags = linkerFlags(goMod);
  const digest = versionsDigest(goMod, goSum, ldflags, Deno.build.target);
  return { folder: `${cacheRoot()}/control-plane/${digest}`, ldflags };
}

/**
 * Linker flags that give the programs their version, read from the text of go.mod. Without them the API server calls
 * itself v0.0.0-master+$Format, which clients cannot parse.
 */
export function linkerFlags(goMod: string): string {
  const match = /^\s*k8s\.io\/kubernetes (v(\d+)\.(\d+)\.\d+\S*)/m.exec(goMod);
  if (match === null) throw new Error(`The go.mod of the control plane requires no k8s.io/kubernetes vX.Y.Z`);
  const [, version, major, minor] = match;
  const values = { gitVersion: version, gitMajor: major, gitMinor: minor, gitTreeState: "clean" };
  const packages = ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"];
  const settings = packages.flatMap((name) =>
    Object.entries(values).map(([key, value]) => `-X ${name}.${key}=${value}`)
  );
  return ["-s", "-w", ...settings].join(" ");
}

async function buildMissing(build: ModuleBuild, onProgress?: Progress): Promise<void> {
  const missing = await missingIn(build.folder); // again: another process may have built them while this one waited
  for (const [index, program] of missing.entries()) {
    const label = `[${index + 1}/${missing.length}] Building ${program.file} from Go modules`;
    const started = performance.now();
    const elapsed = () => `${Math.round((performance.now() - started) / 1000)} s`;
    onProgress?.(`${label} (once, kept in ${build.folder})`);
    const ticker = setInterval(() => onProgress?.(`${label}, ${elapsed()} so far`), 15_000);
    try {
      await goBuild(program.goPackage, `${build.folder}/${program.file}`, build.ldflags);
    } finally {
      clearInterval(ticker);
    }
    onProgress?.(`${label} done in ${elapsed()}`);
  }
}

async function goBuild(goPackage: string, path: string, ldflags: string): Promise<void> {
  const unfinished = `${path}.unfinished`; // the name counts only once the file is whole
  const args = [
    "build",
    "-mod=readonly",
    "-trimpath",
    "-buildvcs=false",
    "-ldflags",
    ldflags,
    "-o",
    unfinished,
  ];
  await runGo([...args, goPackage], MODULE_FOLDER);
  await Deno.rename(unfinished, path);
}

/**
 * Runs `go` with the proxy and cache settings of the environment and returns its stdout.
 * Throws MissingProgramsError when there is no Go or when it fails; the message holds the end of its stderr.
 */
export async function runGo(args: readonly string[], folder: string): Promise<string> {
  const output = await spawnGo(args, folder);
  if (output.success) return new TextDecoder().decode(output.stdout);
  const tail = new TextDecoder().decode(output.stderr).trimEnd().split("\n").slice(-15).join("\n");
  throw new MissingProgramsError(`\`go ${args.at(0)} … ${args.at(-1)}\` failed in ${folder}:\n${tail}`);
}

async function spawnGo(args: readonly string[], folder: string): Promise<Deno.CommandOutput> {
  const env = { CGO_ENABLED: "0", GOWORK: "off" };
  try {
    return await new Deno.Command("go", { args: [...args], cwd: folder, env, stdin: "null" }).output();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new MissingProgramsError(
      "There is no `go` on PATH to build the control plane with; install Go 1.26 or newer, or set KUBEBUILDER_ASSETS " +
        `to a folder with ${PROGRAMS.map((program) => program.file).join(", ")}`,
      { cause: error },
    );
  }
}
