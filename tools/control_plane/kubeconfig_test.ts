/** A kubeconfig is read back with a YAML reader and holds what it was made of. */
import assert from "node:assert/strict";
import { load } from "js-yaml";
import { kubeconfigText } from "./kubeconfig.ts";

function cluster(token: string): unknown {
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "generic-operator",
    clusters: [{
      name: "generic-operator",
      cluster: { server: "https://127.0.0.1:1", "certificate-authority-data": "Q0E=" },
    }],
    users: [{ name: "generic-operator", user: { token } }],
    contexts: [{
      name: "generic-operator",
      context: { cluster: "generic-operator", user: "generic-operator" },
    }],
  };
}

Deno.test("a user by token", () => {
  const text = kubeconfigText({ url: "https://127.0.0.1:1", authority: "CA", user: { token: "a.b.c" } });
  assert.deepEqual(load(text), cluster("a.b.c"));
});

Deno.test("a user by certificate", () => {
  const identity = { certificate: "CERT", privateKey: "KEY" };
  const text = kubeconfigText({ url: "https://127.0.0.1:1", authority: "CA", user: { identity } });
  assert.match(text, /\n {6}client-certificate-data: Q0VSVA==\n {6}client-key-data: S0VZ\n/);
});
