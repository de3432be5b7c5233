import assert from "node:assert/strict";
import { type Invocation, parseArguments } from "./arguments.ts";

function parse(words: string): Invocation {
  return parseArguments(words.split(" ").filter((word) => word !== ""), "1.2.3");
}

/** The text of an invocation that runs nothing. */
function said(words: string, code: 0 | 2): string {
  const invocation = parse(words);
  assert.equal(invocation.kind, "text", words);
  assert.ok(invocation.kind === "text");
  assert.equal(invocation.code, code, invocation.text);
  return invocation.text;
}

Deno.test("operator mode is the default, with its defaults", () => {
  assert.deepEqual(parse("--implementation ./mine"), {
    kind: "operator",
    flags: {
      mode: "operator",
      implementation: ["./mine"],
      domain: "generic-operator.io",
      workers: 8,
      startupTimeout: 60,
      logLevel: "info",
    },
  });
});

Deno.test("each flag comes through, and several implementations in their order", () => {
  const words =
    "--mode=operator --implementation a --implementation configmap:ns/b --crd-group g --crd-version v1 " +
    "--crd-kind K --crd-plural ks --kubeconfig /k --context c --namespace n --domain d.io --workers 3 --health-port 0 " +
    "--startup-timeout 0 --log-format json --log-level debug";
  assert.deepEqual(parse(words), {
    kind: "operator",
    flags: {
      mode: "operator",
      implementation: ["a", "configmap:ns/b"],
      crdGroup: "g",
      crdVersion: "v1",
      crdKind: "K",
      crdPlural: "ks",
      kubeconfig: "/k",
      context: "c",
      namespace: "n",
      domain: "d.io",
      workers: 3,
      healthPort: 0,
      startupTimeout: 0,
      logFormat: "json",
      logLevel: "debug",
    },
  });
});

Deno.test("render is a verb of its own", () => {
  assert.deepEqual(parse("render --template a.yaml --values v.yaml"), {
    kind: "render",
    flags: { template: "a.yaml", values: "v.yaml", output: "yaml" },
  });
  assert.match(said("render --template a.yaml", 2), /--values/);
  assert.match(said("render --template a --values v -o xml", 2), /yaml, json/);
});

Deno.test("help and version are no error", () => {
  assert.equal(said("--version", 0), "1.2.3\n");
  assert.match(said("--help", 0), /--implementation <source>[\s\S]*Examples:/);
  assert.match(said("help render", 0), /--template <file>/);
  assert.match(said("render --help", 0), /--template <file>[\s\S]*Example:/);
});

Deno.test("wrong words: one line that says what to write", () => {
  assert.match(said("", 2), /^missing --implementation: write --implementation FOLDER/);
  for (
    const [words, message] of [
      ["--implementation a --worker 3", /Did you mean --workers/],
      ["--implementation a --mode=nothing", /operator/],
      ["--implementation a --workers 0", /whole number from 1 to 256/],
      ["--implementation a --workers 1.5", /whole number from 1 to 256/],
      ["--implementation a --workers 257", /whole number from 1 to 256/],
      ["--implementation a --health-port x", /whole number from 0 to 65535/],
      ["--implementation a --log-level loud", /debug, info, warn, error/],
      ["--implementation", /argument missing/],
      [
        "rendr",
        /^unknown command 'rendr' \(Did you mean render\?\) \(verbs: render; without one it runs the operator/,
      ],
      ["rendr --template a", /^unknown command 'rendr' \(Did you mean render\?\) \(verbs: render/],
      ["nothing --implementation a", /^unknown command 'nothing' \(verbs: render/],
      ["--implementation a rendr", /too many arguments/],
    ] as const
  ) {
    const text = said(words, 2);
    assert.match(text, message);
    assert.equal(text.trimEnd().split("\n").length, 1, text);
    assert.match(text, /\(see --help\)\n$/);
  }
});

Deno.test("names that no API server would take, and sources given twice, are wrong use", () => {
  const cases: readonly [readonly string[], RegExp][] = [
    [["--namespace", "BAD_ns"], /a namespace: lower case/],
    [["--domain", "bad domain"], /a domain: lower case/],
    [["--implementation", ""], /Write a folder, or configmap:NAMESPACE\/NAME/],
    [["--implementation", "a", "--implementation", "a"], /given twice/],
  ];
  for (const [words, says] of cases) {
    const invocation = parseArguments(["--implementation", "x", ...words], "1.2.3");
    assert.ok(invocation.kind === "text" && invocation.code === 2, JSON.stringify(invocation));
    assert.match(invocation.text, says);
  }
});
