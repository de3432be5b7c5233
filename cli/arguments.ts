/**
 * Arguments in, an invocation out: what to run, with which settings, or what is wrong with the words. Pure but for commander's own parsing.
 *
 * Exit codes follow the usual meaning: 0 done, 1 found something, 2 wrong use.
 */
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { DEFAULT_DOMAIN } from "../engine/mod.ts";

/** Flags of operator mode, as they were written. */
export interface OperatorFlags {
  readonly mode: "operator";
  readonly implementation: readonly string[];
  readonly crdGroup?: string;
  readonly crdVersion?: string;
  readonly crdKind?: string;
  readonly crdPlural?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly domain: string;
  readonly workers: number;
  readonly healthPort?: number;
  readonly startupTimeout: number;
  readonly logFormat?: "json" | "text";
  readonly logLevel: "debug" | "info" | "warn" | "error";
}

/** Flags of `render`. */
export interface RenderFlags {
  readonly template: string;
  readonly values: string;
  readonly output: "yaml" | "json";
}

/** What the words ask for. */
export type Invocation =
  | { readonly kind: "operator"; readonly flags: OperatorFlags }
  | { readonly kind: "render"; readonly flags: RenderFlags }
  /** Nothing to run: `text` is help or the version (code 0, stdout), or what is wrong (code 2, stderr). */
  | { readonly kind: "text"; readonly text: string; readonly code: 0 | 2 };

/** Reads the words after the program's name. */
export function parseArguments(words: readonly string[], version: string): Invocation {
  let invocation: Invocation | undefined;
  let out = "";
  let err = "";
  const program = frame(version, (found) => invocation = found)
    .exitOverride()
    .configureOutput({ writeOut: (text) => out += text, writeErr: (text) => err += text });
  for (const command of program.commands) command.exitOverride().copyInheritedSettings(program);
  try {
    refuseUnknownVerb(program, words);
    program.parse([...words], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: "text", text: out, code: 0 };
    return { kind: "text", text: oneLine(err === "" ? error.message : err), code: 2 };
  }
  return invocation ?? { kind: "text", text: program.helpInformation(), code: 2 };
}

/**
 * A first word that is no verb. Commander would speak of too many arguments, or of the first option of a verb that it did not recognise; a program without
 * an action of its own finds the verb that was meant.
 */
function refuseUnknownVerb(program: Command, [verb = ""]: readonly string[]): void {
  const verbs = program.commands.map((command) => command.name());
  if (verb === "" || verb.startsWith("-") || verb === "help" || verbs.includes(verb)) return;
  const names = new Command(program.name()).exitOverride().copyInheritedSettings(program);
  for (const name of verbs) names.command(name);
  names.showHelpAfterError(`(verbs: ${verbs.join(", ")}; without one it runs the operator)`);
  names.parse([verb], { from: "user" });
}

function oneLine(text: string): string {
  return `${text.trim().replace(/^error: /, "").replaceAll(/\s*\n\s*/g, " ")} (see --help)\n`;
}

function frame(version: string, found: (invocation: Invocation) => void): Command {
  const program = new Command("generic-operator")
    .description(
      "An operator engine for Kubernetes that is driven by Jinja2 templates: given a CRD and an ordered list of templates, it makes\n" +
        "each instance into objects, keeps them so, takes back what is no longer rendered, and remembers every revision.",
    )
    .version(version, "--version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(true)
    .showSuggestionAfterError(true);
  operatorOptions(program)
    .addHelpText("after", EXAMPLES)
    .action((flags: OperatorFlags) => {
      if (flags.implementation.length === 0) {
        program.error(
          "missing --implementation: write --implementation FOLDER or --implementation configmap:NAMESPACE/NAME",
        );
      }
      found({ kind: "operator", flags });
    });
  program.command("render")
    .description("render one template alone and print its documents; nothing is asked of a cluster")
    .requiredOption("--template <file>", "the template")
    .requiredOption("--values <file>", "YAML or JSON mapping: every name that the template can see")
    .addOption(new Option("-o, --output <format>", "output format").choices(["yaml", "json"]).default("yaml"))
    .addHelpText(
      "after",
      "\nExample:\n  generic-operator render --template quota.yaml --values values.yaml -o json\n",
    )
    .action((flags: RenderFlags) => found({ kind: "render", flags }));
  return program;
}

function operatorOptions(program: Command): Command {
  return program
    .addOption(new Option("--mode <mode>", "what to run").choices(["operator"]).default("operator"))
    .option(
      "--implementation <source>",
      "folder, or configmap:NAMESPACE/NAME; may be given several times",
      collect,
      [],
    )
    .option("--crd-group <group>", "group of the CRD, above what the implementation says")
    .option("--crd-version <version>", "version of the CRD")
    .option("--crd-kind <kind>", "kind of the CRD")
    .option("--crd-plural <plural>", "plural of the CRD")
    .option("--kubeconfig <file>", "kubeconfig; default: $KUBECONFIG, ~/.kube/config, in-cluster")
    .option("--context <name>", "context of the kubeconfig")
    .option(
      "--namespace <name>",
      "where records are kept; default: the context's or the pod's namespace",
      dnsName(
        /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
        "a namespace: lower case letters, digits and `-`, at most 63",
      ),
    )
    .option(
      "--domain <domain>",
      "domain of the engine's labels, annotations and finalizer",
      dnsName(/^[a-z0-9]([a-z0-9.-]{0,200}[a-z0-9])?$/, "a domain: lower case letters, digits, `-` and `.`"),
      DEFAULT_DOMAIN,
    )
    .option(
      "--workers <n>",
      "instances of one implementation reconciled at the same time",
      wholeNumber(1, 256),
      8,
    )
    .option("--health-port <port>", "serve /livez, /readyz and /metrics on this port", wholeNumber(0, 65_535))
    .option(
      "--startup-timeout <seconds>",
      "give up when the API server is out of reach for this long at the start",
      wholeNumber(0, 86_400),
      60,
    )
    .addOption(
      new Option("--log-format <format>", "default: text on a terminal, else json").choices(["json", "text"]),
    )
    .addOption(
      new Option("--log-level <level>", "least important lines to print").choices([
        "debug",
        "info",
        "warn",
        "error",
      ]).default("info"),
    );
}

const EXAMPLES = `
Examples:
  generic-operator --mode=operator --implementation ./templates/my-thing
  generic-operator --implementation configmap:my-system/my-thing --namespace my-system
  generic-operator render --template quota.yaml --values values.yaml
`;

function collect(value: string, before: readonly string[]): readonly string[] {
  if (value === "") throw new InvalidArgumentError("Write a folder, or configmap:NAMESPACE/NAME.");
  if (before.includes(value)) throw new InvalidArgumentError("It is given twice.");
  return [...before, value];
}

function dnsName(form: RegExp, what: string): (text: string) => string {
  return (text) => {
    if (!form.test(text)) throw new InvalidArgumentError(`Write ${what}.`);
    return text;
  };
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (!(value >= least && value <= most)) {
      throw new InvalidArgumentError(`Write a whole number from ${least} to ${most}.`);
    }
    return value;
  };
}
