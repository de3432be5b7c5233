/**
 * Arguments → configuration → run. The only place that knows the process: its words, its environment, its signals and its end.
 */
import { type OperatorFlags, parseArguments } from "./cli/arguments.ts";
import { renderTemplate } from "./cli/render.ts";
import { runOperator } from "./controllers/operator/run.ts";
import type { OperatorSettings } from "./controllers/operator/settings.ts";
import { exitCodeOf, wordsFor } from "./cli/user_error.ts";
import { lineLogger } from "./engine/mod.ts";
import manifest from "./deno.json" with { type: "json" };

const { version } = manifest;

function print(stream: { writeSync(bytes: Uint8Array): number }, text: string): void {
  stream.writeSync(new TextEncoder().encode(text));
}

/** Aborts on SIGTERM or SIGINT; a second signal ends the process at once. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGTERM", "SIGINT"] as const) {
    Deno.addSignalListener(name, () => {
      if (controller.signal.aborted) Deno.exit(1);
      controller.abort();
    });
  }
  return controller.signal;
}

function operatorSettings(flags: OperatorFlags): OperatorSettings {
  const crd = {
    ...(flags.crdGroup === undefined ? {} : { group: flags.crdGroup }),
    ...(flags.crdVersion === undefined ? {} : { version: flags.crdVersion }),
    ...(flags.crdKind === undefined ? {} : { kind: flags.crdKind }),
    ...(flags.crdPlural === undefined ? {} : { plural: flags.crdPlural }),
  };
  const { kubeconfig, context, namespace, healthPort } = flags;
  return {
    implementations: flags.implementation,
    ...(Object.keys(crd).length === 0 ? {} : { crd }),
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(healthPort === undefined ? {} : { healthPort }),
    domain: flags.domain,
    workers: flags.workers,
    startupTimeoutMs: flags.startupTimeout * 1000,
    version,
  };
}

async function main(words: readonly string[]): Promise<number> {
  const invocation = parseArguments(words, version);
  switch (invocation.kind) {
    case "text":
      print(invocation.code === 0 ? Deno.stdout : Deno.stderr, invocation.text);
      return invocation.code;
    case "render":
      print(Deno.stdout, `${(await renderTemplate(invocation.flags)).trimEnd()}\n`);
      return 0;
    case "operator": {
      const { flags } = invocation;
      const format = flags.logFormat ?? (Deno.stderr.isTerminal() ? "text" : "json");
      const log = lineLogger({
        format,
        level: flags.logLevel,
        write: (line) => print(Deno.stderr, `${line}\n`),
        now: () => new Date(),
      });
      await runOperator(operatorSettings(flags), {
        env: (name) => Deno.env.get(name),
        log,
        signal: stopSignal(),
      });
      return 0;
    }
  }
}

try {
  Deno.exit(await main(Deno.args));
} catch (error) {
  const code = exitCodeOf(error);
  if (code === undefined || !(error instanceof Error)) throw error;
  print(Deno.stderr, `generic-operator: ${wordsFor(error)}\n`);
  Deno.exit(code);
}
