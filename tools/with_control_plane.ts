/**
 * `deno run -A tools/with_control_plane.ts -- COMMAND ...`: one control plane for a whole command, say a test run of many
 * files and processes. It has an audit log and the CRDs of Cilium; the command finds it by its environment
 * (GENERIC_OPERATOR_TEST_KUBECONFIG, GENERIC_OPERATOR_TEST_AUDIT_LOG). KUBECONFIG is set too, so that nothing in it can reach a cluster of the
 * user's own by mistake. Ends with the code of the command.
 */
import { MissingProgramsError } from "./control_plane/build.ts";
import { type ControlPlane, startControlPlane } from "./control_plane/control_plane.ts";
import { ciliumCrds } from "./control_plane/crds.ts";
import { installCrds } from "./control_plane/kubectl.ts";
import { watchForStop } from "./control_plane/stop_request.ts";

async function runWith(controlPlane: ControlPlane, command: readonly string[]): Promise<number> {
  const [program = "", ...args] = command;
  const child = new Deno.Command(program, {
    args,
    env: {
      KUBECONFIG: controlPlane.kubeconfigPath,
      GENERIC_OPERATOR_TEST_KUBECONFIG: controlPlane.kubeconfigPath,
      GENERIC_OPERATOR_TEST_AUDIT_LOG: controlPlane.auditLogPath ?? "",
    },
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
  }).spawn();
  const stop = await watchForStop();
  stop.received.then(() => child.kill("SIGTERM")); // after Ctrl-C it has got the signal from the terminal already
  const { code } = await child.status;
  stop.cancel();
  return code;
}

async function main(args: readonly string[]): Promise<number> {
  const command = args[0] === "--" ? args.slice(1) : args;
  if (command.length === 0 || command[0] === "--help") {
    console.error("Usage: deno run -A tools/with_control_plane.ts -- COMMAND [ARGUMENT ...]");
    return command.length === 0 ? 2 : 0;
  }
  try {
    const say = (line: string) => console.error(line);
    const crds = await ciliumCrds(say);
    await using controlPlane = await startControlPlane({ auditLog: true, onProgress: say });
    await installCrds(crds, controlPlane.kubeconfigPath);
    return await runWith(controlPlane, command);
  } catch (error) {
    console.error(error instanceof MissingProgramsError ? error.message : String(error));
    return 1;
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));
