import assert from "node:assert/strict";
import { CONFIG_MAPS, CUSTOM_RESOURCE_DEFINITIONS } from "./builtin.ts";
import { InvalidError } from "./errors.ts";
import { collectionPath, objectPath } from "./paths.ts";

function ref(name: string, namespace?: string) {
  return {
    group: "",
    version: "v1",
    kind: "ConfigMap",
    name,
    ...(namespace === undefined ? {} : { namespace }),
  };
}

Deno.test("paths of collections, objects and subresources", () => {
  assert.equal(collectionPath(CONFIG_MAPS), "/api/v1/configmaps");
  assert.equal(collectionPath(CONFIG_MAPS, "shop"), "/api/v1/namespaces/shop/configmaps");
  const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  assert.equal(collectionPath(CUSTOM_RESOURCE_DEFINITIONS, "ignored"), crds);
  assert.equal(objectPath(CUSTOM_RESOURCE_DEFINITIONS, ref("a.b.c"), "status"), `${crds}/a.b.c/status`);
  assert.equal(objectPath(CONFIG_MAPS, ref("a", "shop")), "/api/v1/namespaces/shop/configmaps/a");
});

Deno.test("parts of a path are encoded", () => {
  const path = objectPath(CUSTOM_RESOURCE_DEFINITIONS, ref("system:reader ?#é"));
  assert.ok(path.endsWith("/system%3Areader%20%3F%23%C3%A9"), path);
});

Deno.test("a name that could leave its place is refused", () => {
  for (const name of ["", ".", "..", "a/b", "a%2fb", "x/../../../kube-system/configmaps/x"]) {
    assert.throws(() => objectPath(CONFIG_MAPS, ref(name, "shop")), (error) => {
      assert.ok(error instanceof InvalidError && error.message.startsWith("metadata.name "), String(error));
      return true;
    });
    assert.throws(() => collectionPath(CONFIG_MAPS, name), /^InvalidError: metadata\.namespace /);
  }
  assert.throws(() => objectPath(CONFIG_MAPS, ref("a")), /ConfigMap a needs metadata\.namespace/);
});
