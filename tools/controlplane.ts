/**
 * `deno task controlplane`: a real control plane in the foreground, for a person or a script. On stdout come lines for a
 * shell (`export NAME='value'`) once it serves, on stderr what happens; it stays until it is told to stop or the process
 * that started it ends.
 */
import { parseArgs } from "node:util";
import { controlPlanePrograms, MissingProgramsError } from "./control_plane/build.ts";
import { type ControlPlane, startControlPlane } from "./control_plane/control_plane.ts";
import { ciliumCrds } from "./control_plane/crds.ts";
import { installCrds } from "./control_plane/kubectl.ts";
import { watchForStop } from "./control_plane/stop_request.ts";

const HELP = `Starts etcd, kube-apiserver and kube-controller-manager on loopback, until Ctrl-C.

Usage: deno task controlplane [options]

  --audit-log     write an audit log of all requests
  --crds cilium   install the CRDs of Cilium
  --build-only    only build the programs into the cache (about 5 minutes, once), then end
  --parent PID    also stop when this process ends (default: what started this one, and npx above it)
  --help          this text

Programs come from KUBEBUILDER_ASSETS when set, else from the cache, else they are built from Go modules.

Example: deno task controlplane --audit-log --crds cilium
`;

interface Arguments {
  readonly auditLog: boolean;
  readonly crds: boolean;
  readonly buildOnly: boolean;
  readonly parent: number | undefined;
  readonly help: boolean;
}

function readArguments(args: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      "audit-log": { type: "boolean", default: false },
      "crds": { type: "string" },
      "build-only": { type: "boolean", default: false },
      "parent": { type: "string" },
      "help": { type: "boolean", short: "h", default: false },
    },
  });
  if (values.crds !== undefined && values.crds !== "cilium") {
    throw new TypeError(`--crds ${values.crds}: there is only cilium`);
  }
  if (values.parent !== undefined && !/^[1-9]\d*$/.test(values.parent)) {
    throw new TypeError(`--parent ${values.parent}: has to be the number of a process`);
  }
  return {
    auditLog: values["audit-log"],
    crds: values.crds === "cilium",
    buildOnly: values["build-only"],
    parent: values.parent === undefined ? undefined : Number(values.parent),
    help: values.help,
  };
}

async function run(options: Arguments): Promise<void> {
  if (options.buildOnly) return void await controlPlanePrograms({ onProgress: say });
  const stop = await watchForStop(options.parent);
  const started = performance.now();
  const starting = startControlPlane({ auditLog: options.auditLog, onProgress: say });
  // Told to stop while it starts: then it goes with this process.
  const controlPlane = await Promise.race([starting, stop.received.then(() => undefined)]);
  if (controlPlane === undefined) return;
  await using running = controlPlane;
  if (options.crds) await installCrds(await ciliumCrds(say), running.kubeconfigPath);
  say(`Control plane serves at ${running.url} after ${((performance.now() - started) / 1000).toFixed(1)} s`);
  console.log(await shellLines(running)); // one write: a script may have gone after the first line
  say(`Stopping: ${await stop.received}`);
}

/** What a shell needs to work with the control plane. */
async function shellLines({ kubeconfigPath, auditLogPath }: ControlPlane): Promise<string> {
  const { kubectl } = await controlPlanePrograms({ onProgress: say });
  return [
    `export KUBECONFIG='${kubeconfigPath}'`,
    ...(auditLogPath === undefined ? [] : [`export AUDIT_LOG='${auditLogPath}'`]),
    `export PATH="$PATH:${kubectl.slice(0, kubectl.lastIndexOf("/"))}"   # has a kubectl`,
  ].join("\n");
}

function say(line: string): void {
  console.error(line);
}

async function main(args: readonly string[]): Promise<number> {
  try {
    const options = readArguments(args);
    if (options.help) console.log(HELP);
    else await run(options);
    return 0;
  } catch (error) {
    if (error instanceof TypeError) {
      say(`${error.message} (see --help)`);
      return 2;
    }
    say(error instanceof MissingProgramsError ? error.message : String(error));
    return 1;
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));
