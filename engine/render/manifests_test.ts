import assert from "node:assert/strict";
import type { Manifest } from "../meta/manifest.ts";
import { readPrinted } from "./documents.ts";
import { refuseTwins, toManifests } from "./manifests.ts";
import { formatProblem, RenderError, type RenderProblem } from "./render_error.ts";

/** Reads a text as if line N of it were printed by line N + 100 of `a/b.yaml`. */
function read(
  text: string,
): { readonly manifests: readonly Manifest[]; readonly problems: readonly string[] } {
  const printed = { text, positionOf: (line: number) => ({ template: "a/b.yaml", line: line + 100 }) };
  const problems: RenderProblem[] = [];
  const manifests = toManifests(readPrinted(printed, "a/b.yaml"), problems);
  refuseTwins(manifests, problems);
  return { manifests, problems: problems.map(formatProblem) };
}

function configMap(...lines: string[]): string {
  return ["apiVersion: v1", "kind: ConfigMap", "metadata: {name: demo, namespace: demo}", ...lines].join(
    "\n",
  );
}

function refused(text: string, ...words: string[]): void {
  const { problems } = read(text);
  assert.equal(problems.length, 1, JSON.stringify(problems));
  for (const word of words) assert.ok(problems[0]?.includes(word), `${word} is not in: ${problems[0]}`);
}

Deno.test("a document without own keys is to be applied, nothing more", () => {
  assert.deepEqual(read(configMap("data: {a: '1'}")), {
    manifests: [{
      object: {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "demo", namespace: "demo" },
        data: { a: "1" },
      },
      action: "apply",
      wait: false,
      keep: false,
      replace: false,
      ignore: [],
      origin: { template: "a/b.yaml", line: 101 },
    }],
    problems: [],
  });
});

Deno.test("own keys are read and never part of the object", () => {
  const [manifest] = read(configMap(
    "_action: delete",
    "_wait: 1m30s",
    "_keep: until-deleted",
    "_replace: true",
    "_ignore: [spec.replicas]",
    "_finalizer: false",
    "data: {_kept: below the top}",
  )).manifests;
  assert.ok(manifest);
  const { object, origin: _, ...intent } = manifest;
  assert.deepEqual(intent, {
    action: "delete",
    wait: { timeoutMs: 90_000 },
    keep: "until-deleted",
    replace: true,
    ignore: ["spec.replicas"],
  });
  assert.deepEqual(Object.keys(object), ["apiVersion", "kind", "metadata", "data"]);
  assert.deepEqual(object.data, { _kept: "below the top" });
  assert.deepEqual(read(configMap("_wait: true", "_keep: true")).manifests[0]?.wait, {});
  assert.equal(read(configMap("_keep: true")).manifests[0]?.keep, "always");
});

Deno.test("an own key that is wrong is refused at its line, with what to write", () => {
  refused(configMap("_action: Delete"), "a/b.yaml line 104", "`_action` is `Delete`", "apply or delete");
  refused(configMap("_akeep: true"), "`_akeep`", "did you mean `_keep`?", "_no_finalizer");
  refused(configMap("_labels: {}"), "`_labels`", "known are _action");
  refused(configMap("_wait: 5"), "`_wait` is `5`", "90s");
  refused(configMap("_wait: 0s"), "`_wait`");
  refused(configMap("_keep: sometimes"), "until-deleted");
  refused(configMap("_replace: 'yes'"), "`_replace` is `yes`", "true or false");
  refused(configMap("_no_finalizer: [1]"), "`_no_finalizer` is a list");
  refused(configMap("_ignore: spec.replicas"), "a list of paths");
  refused(configMap("_ignore: [metadata.name]"), "metadata.name");
  refused(configMap("_ignore: [a..b]"), "a..b");
});

Deno.test("an object needs a type and a name that stays in its place of a path", () => {
  refused("- 1", "Document 1", "is a list", "mapping");
  refused("hello", "is a single value");
  refused("kind: A\nmetadata: {name: a}", "apiVersion is missing");
  refused("apiVersion: 1\nkind: A\nmetadata: {name: a}", "apiVersion is a number", "quotes");
  refused("apiVersion: v1/../a\nkind: A\nmetadata: {name: a}", "apiVersion");
  refused("apiVersion: v1\nkind: A/B\nmetadata: {name: a}", "kind");
  refused("apiVersion: v1\nkind: A", "metadata is missing");
  refused("apiVersion: v1\nkind: A\nmetadata: {namespace: a}", "line 103", "metadata.name is missing");
  refused("apiVersion: v1\nkind: A\nmetadata: {name: 12}", "metadata.name is a number");
  for (const name of ["a/b", "..", ".", "a%2fb", "x/../../../kube-system/configmaps/x", "a\\u0000b"]) {
    refused(`apiVersion: v1\nkind: A\nmetadata: {name: "${name}"}`, "metadata.name");
    refused(`apiVersion: v1\nkind: A\nmetadata: {name: a, namespace: "${name}"}`, "metadata.namespace");
  }
  assert.deepEqual(read(`apiVersion: v1\nkind: A\nmetadata: {name: "system:reader"}`).problems, []);
  for (const field of ["generateName", "managedFields", "resourceVersion", "uid"]) {
    refused(`apiVersion: v1\nkind: A\nmetadata:\n  name: a\n  ${field}: b`, "line 105", `metadata.${field}`);
  }
});

Deno.test("labels and annotations hold texts; an empty block is none", () => {
  const { manifests } = read(
    "apiVersion: v1\nkind: A\nmetadata:\n  name: a\n  labels:\n  annotations: {a: null}\n",
  );
  assert.deepEqual(manifests[0]?.object.metadata, { name: "a", annotations: {} });
  const text = "apiVersion: v1\nkind: A\nmetadata:\n  name: a\n  labels:\n    ok: x\n    on: 5\n";
  refused(text, "line 107", "metadata.labels has a number under `true`", "quotes");
  refused("apiVersion: v1\nkind: A\nmetadata: {name: a, annotations: [a]}", "metadata.annotations");
});

Deno.test("a key with null behind it is a key that is not rendered", () => {
  const { manifests } = read(
    configMap("data: {a: null, b: '1', c: {d: ~}}", "list: [null, {x: null, z: 2}]"),
  );
  const { data, list } = { ...manifests[0]?.object };
  assert.deepEqual(data, { b: "1", c: {} });
  assert.deepEqual(list, [null, { z: 2 }]);
});

Deno.test("keys of JavaScript are data, at every depth", () => {
  const { manifests } = read(
    configMap("__proto__: {a: null, b: 1}", "data: {constructor: x, __proto__: {c: ~}}"),
  );
  const { object } = manifests[0] ?? {};
  assert.ok(object);
  assert.equal(Object.getPrototypeOf(object), Object.prototype);
  assert.deepEqual(Object.getOwnPropertyDescriptor(object.data, "__proto__")?.value, {});
  assert.equal("a" in {}, false);
});

Deno.test("a List is its items, which inherit its own keys", () => {
  const item = (name: string, more = "") => `- {apiVersion: v1, kind: A, metadata: {name: ${name}}${more}}`;
  const { manifests, problems } = read(
    ["apiVersion: v1", "kind: List", "_action: delete", "items:", item("a"), item("b", ", _action: apply")]
      .join(
        "\n",
      ),
  );
  assert.deepEqual(problems, []);
  assert.deepEqual(
    manifests.map(({ object, action, origin }) => [object.metadata.name, action, origin.line]),
    [["a", "delete", 105], ["b", "apply", 106]],
  );
  refused(["apiVersion: v1", "kind: List", "items:", item("a"), "- 5"].join("\n"), "line 105", "item 2");
  refused(["apiVersion: v1", "kind: List", "items:", item("a/b")].join("\n"), "line 104", "metadata.name");
  assert.deepEqual(read("apiVersion: v1\nkind: List\nitems:\n"), { manifests: [], problems: [] });
});

Deno.test("the same object twice is refused with both places", () => {
  refused(
    `${configMap()}\n---\n${configMap()}`,
    "a/b.yaml line 105",
    "a/b.yaml line 101",
    "ConfigMap demo/demo",
  );
  refused(`${configMap()}\n---\n${configMap("_action: delete")}`, "twice");
  const deleted = configMap("_action: delete");
  assert.deepEqual(read(`${deleted}\n---\n${deleted}`).problems, []);
});

Deno.test("all problems are told at once", () => {
  const { problems } = read(
    `${configMap("_action: x", "_wait: x")}\n---\n- 1\n---\n${configMap("_keep: x")}`,
  );
  assert.equal(problems.length, 5);
  assert.match(problems[3] ?? "", /^a\/b\.yaml line 112: Document 3 \(ConfigMap demo\): `_keep`/);
});

Deno.test("YAML that cannot be read is told at the template's line, and never shows a value of a Secret", () => {
  assert.throws(() => read(configMap("data: {a: *x}")), (error) => {
    assert.ok(error instanceof RenderError);
    assert.equal(error.kind, "yaml");
    assert.match(error.message, /^a\/b\.yaml line 104: /);
    return true;
  });
  for (
    const bad of [
      "stringData: {a: *S3cr3t-marker}",
      "data: {S3cr3t-marker: 1, S3cr3t-marker: 2}",
      "a: @S3cr3t",
    ]
  ) {
    assert.throws(() => read(configMap(bad).replace("ConfigMap", "Secret")), (error) => {
      assert.ok(error instanceof RenderError);
      assert.doesNotMatch(`${error.message}${error.withExcerpts}`, /S3cr3t/);
      return true;
    });
  }
});
