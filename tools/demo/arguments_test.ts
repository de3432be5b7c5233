/** The words of the demo's command line. */
import assert from "node:assert/strict";
import { readArguments } from "./arguments.ts";

Deno.test("without words it uses a control plane of its own and ends", () => {
  assert.deepEqual(readArguments([]), { keep: false, help: false });
});

Deno.test("a cluster of the user's own is named by kubeconfig and context", () => {
  assert.deepEqual(readArguments(["--keep", "--kubeconfig", "a/b", "--context=kind"]), {
    keep: true,
    help: false,
    kubeconfig: "a/b",
    context: "kind",
  });
});

Deno.test("wrong words are TypeErrors: unknown flags, stray words, an empty path, a context without a kubeconfig", () => {
  for (const words of [["--kep"], ["keep"], ["--kubeconfig"], ["--kubeconfig="], ["--context", "kind"]]) {
    assert.throws(() => readArguments(words), TypeError, words.join(" "));
  }
});
