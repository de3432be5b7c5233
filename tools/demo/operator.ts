/**
 * The operator as a process of its own, run as anybody would run it, with its log in a file. It cannot outlive the demo, and Ctrl-C on the terminal does
 * not reach it before the demo tells it to stop: `Component` of the control plane sees to both.
 */
import { fileURLToPath } from "node:url";
import { Component } from "../control_plane/component.ts";

/** How to run it. */
export interface OperatorOptions {
  readonly implementation: string;
  readonly kubeconfig: string;
  readonly context?: string;
  readonly namespace: string;
  /** File that takes its log. */
  readonly logPath: string;
}

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));
const START_MS = 30_000;
const GRACE_MS = 15_000;
/** The line with which the operator says that its caches are in step and its workers run. */
const SERVES = /\bServes \S+/;

/** See above. */
export class OperatorProcess {
  readonly #component: Component;
  readonly #logPath: string;

  constructor(options: OperatorOptions) {
    this.#logPath = options.logPath;
    this.#component = new Component({
      name: "The operator",
      program: Deno.execPath(),
      args: [
        "run",
        "--allow-all",
        "--unstable-worker-options",
        MAIN,
        ...operatorArguments(options),
        "--log-format=text",
      ],
      logPath: options.logPath,
    });
  }

  /** Starts it; resolves once it serves. Throws an Error when it ends instead. */
  async start(): Promise<void> {
    this.#component.start();
    await this.#until(async () => SERVES.test(await this.log()), START_MS);
  }

  /** Rejects when it ends; to be raced with what depends on it. */
  async ended(): Promise<void> {
    await this.#until(() => Promise.resolve(false), Infinity);
  }

  /** Its log so far. */
  async log(): Promise<string> {
    return await Deno.readTextFile(this.#logPath).catch(() => "");
  }

  /** SIGTERM, and waits until it is gone. */
  async stop(): Promise<void> {
    await this.#component.stop(GRACE_MS);
  }

  /** The error of the component holds the end of the log, which the demo shows anyway: its first line is enough. */
  async #until(probe: () => Promise<boolean>, timeoutMs: number): Promise<void> {
    try {
      await this.#component.waitUntil(probe, timeoutMs);
    } catch (cause) {
      throw new Error(cause instanceof Error ? cause.message.split(";", 1)[0] : String(cause), { cause });
    }
  }
}

/** The words of its command line, as a person would type them. */
export function operatorArguments(options: OperatorOptions): readonly string[] {
  const { implementation, kubeconfig, context, namespace } = options;
  return [
    "--mode=operator",
    `--implementation=${implementation}`,
    `--kubeconfig=${kubeconfig}`,
    ...(context === undefined ? [] : [`--context=${context}`]),
    `--namespace=${namespace}`,
  ];
}
