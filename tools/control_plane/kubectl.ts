/**
 * kubectl of the control plane's own version, as a function: arguments and stdin in, stdout out, an error that says what
 * kubectl said. Used to install CRDs and by tests, which thereby do what people do.
 */
import { controlPlanePrograms } from "./build.ts";

/** For whom kubectl runs. */
export interface KubectlOptions {
  /** File of the kubeconfig. */
  readonly kubeconfig: string;
  /** Text for `-f -`. */
  readonly stdin?: string;
}

/** Runs kubectl and returns its stdout. Throws an Error with its stderr when it fails. */
export async function runKubectl(args: readonly string[], options: KubectlOptions): Promise<string> {
  const { kubectl } = await controlPlanePrograms();
  const process = new Deno.Command(kubectl, {
    args: [`--kubeconfig=${options.kubeconfig}`, ...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stdin = process.stdin.getWriter();
  // A kubectl that does not read its stdin may be gone already; its exit code tells.
  await stdin.write(new TextEncoder().encode(options.stdin ?? "")).catch(() => undefined);
  await stdin.close().catch(() => undefined);
  const output = await process.output();
  if (output.success) return new TextDecoder().decode(output.stdout);
  const said = new TextDecoder().decode(output.stderr).trim();
  throw new Error(`\`kubectl ${args.join(" ")}\` failed with code ${output.code}: ${said}`);
}

/** Creates the CRDs of `files` (YAML) and waits until the API server serves them. */
export async function installCrds(files: readonly string[], kubeconfig: string): Promise<void> {
  const sources = files.flatMap((file) => ["-f", file]);
  await runKubectl(["create", "--validate=false", ...sources], { kubeconfig });
  await runKubectl(["wait", "--for=condition=Established", "--timeout=60s", ...sources], { kubeconfig });
}
