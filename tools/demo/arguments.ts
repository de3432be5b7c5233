/**
 * Words in, what the demo shall do out. Pure. `parseArgs` throws a TypeError for what is not understood, and so does this: the caller makes exit
 * code 2 of it.
 */
import { parseArgs } from "node:util";

/** What the words ask for. */
export interface DemoArguments {
  /** Stay until Ctrl-C when the story is told, instead of ending. */
  readonly keep: boolean;
  /** Kubeconfig of the user's own cluster; absent: a control plane of the demo's own. */
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly help: boolean;
}

/** The text of `--help`. */
export const HELP =
  `Shows the operator at work on a real API server: SecureNamespaces become objects, damage is repaired, all is taken back.

Usage: deno task demo [options]

  --keep             do not end after the last step: stay until Ctrl-C, and print the kubeconfig
  --kubeconfig FILE  use a cluster of your own: installs what is missing, and removes at the end what it made
  --context NAME     context of that kubeconfig
  --help             this text

Without --kubeconfig it starts a control plane of its own on loopback (programs from KUBEBUILDER_ASSETS, else from the cache, else built once from Go
modules, about 5 minutes). Exit codes: 0 done, 1 a step failed or it was stopped, 2 wrong use.

Examples:
  deno task demo
  deno task demo --keep
  deno task demo --kubeconfig ~/.kube/config --context kind-kind
`;

/** Reads the words after the program's name. Throws TypeError. */
export function readArguments(words: readonly string[]): DemoArguments {
  const { values } = parseArgs({
    args: [...words],
    options: {
      "keep": { type: "boolean", default: false },
      "kubeconfig": { type: "string" },
      "context": { type: "string" },
      "help": { type: "boolean", short: "h", default: false },
    },
  });
  const { keep, kubeconfig, context, help } = values;
  if (kubeconfig === "") throw new TypeError("--kubeconfig: needs the path of a file");
  if (context !== undefined && kubeconfig === undefined) {
    throw new TypeError("--context: needs --kubeconfig FILE, so that no cluster is used by mistake");
  }
  return {
    keep,
    help,
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
  };
}
