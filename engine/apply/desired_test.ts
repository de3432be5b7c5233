import assert from "node:assert/strict";
import { NoMatchError, type RestMapper } from "../kube/mod.ts";
import type { KubeObject } from "../meta/mod.ts";
import { configMap, manifest, NAMES, ownership, resource } from "../testing/builders.ts";
import { resolveDesired } from "./desired.ts";

const MAPPER: RestMapper = {
  resourceFor: (type) => {
    if (type.kind === "ConfigMap") return Promise.resolve(resource("ConfigMap"));
    if (type.kind === "Namespace") return Promise.resolve(resource("Namespace", { namespaced: false }));
    if (type.kind === "ClusterRole") return Promise.resolve(resource("ClusterRole", { namespaced: false }));
    if (type.kind === "CustomResourceDefinition") {
      return Promise.resolve(resource(type.kind, { namespaced: false }));
    }
    return Promise.reject(new NoMatchError(`No kind ${type.kind} in group ${type.group}`));
  },
  servedAs: () => Promise.reject(new Error("What is rendered stays in its version")),
  invalidate: () => {},
};

const NAMESPACED = ownership({
  owner: { group: "example.com", version: "v1", kind: "Thing", namespace: "a", name: "one" },
});

Deno.test("owner references only where they are allowed, labels always, ours over the template's", async () => {
  const labelled = configMap("x", "b");
  const manifests = [
    manifest(configMap("x", "a")),
    manifest({
      ...labelled,
      metadata: { ...labelled.metadata, labels: { [NAMES.owner]: "stolen", own: "1" } },
    }),
    manifest({ apiVersion: "v1", kind: "ClusterRole", metadata: { name: "r" } }),
    manifest(configMap("kept", "a"), { keep: "always" }),
  ];
  const { desired, unresolved } = await resolveDesired(manifests, {
    mapper: MAPPER,
    ownership: NAMESPACED,
    namespaces: ["b"],
  });
  assert.deepEqual(unresolved, []);
  assert.deepEqual(desired.map(({ object }) => object.metadata.ownerReferences?.map((one) => one.uid)), [
    ["owner-uid"],
    undefined,
    undefined,
    undefined,
  ]);
  assert.equal(desired[1]?.object.metadata.labels?.[NAMES.owner], "owner-uid");
  assert.equal(desired[1]?.object.metadata.labels?.own, "1");
});

Deno.test("a namespaced kind without namespace goes to the instance's own, and cannot from a cluster-scoped instance", async () => {
  const bare: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x" } };
  const inside = await resolveDesired([manifest(bare)], {
    mapper: MAPPER,
    ownership: NAMESPACED,
    namespaces: [],
  });
  assert.equal(inside.desired[0]?.object.metadata.namespace, "a");
  const outside = await resolveDesired([manifest(bare)], {
    mapper: MAPPER,
    ownership: ownership(),
    namespaces: [],
  });
  assert.equal(outside.unresolved[0]?.reason, "MissingNamespace");
  assert.match(
    outside.unresolved[0]?.message ?? "",
    /core\/test.yaml line 1: ConfigMap x needs metadata.namespace/,
  );
});

Deno.test("a namespace that is neither own, rendered nor declared is refused by name", async () => {
  const options = { mapper: MAPPER, ownership: ownership(), namespaces: [] };
  const foreign = await resolveDesired([manifest(configMap("x", "kube-system"))], options);
  assert.equal(foreign.unresolved[0]?.reason, "ForeignNamespace");
  assert.match(foreign.unresolved[0]?.message ?? "", /namespace kube-system/);
  const namespace: KubeObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } };
  const rendered = await resolveDesired([manifest(configMap("x", "shop")), manifest(namespace)], options);
  assert.deepEqual(rendered.unresolved, []);
  assert.deepEqual(rendered.desired.map((one) => one.needsNamespace), [true, false]);
  const declared = await resolveDesired([manifest(configMap("x", "shop"))], {
    ...options,
    namespaces: ["shop"],
  });
  assert.deepEqual(declared.desired.map((one) => one.needsNamespace), [false]);
});

Deno.test("an unknown kind holds the render, unless its CRD comes with it", async () => {
  const widget: KubeObject = {
    apiVersion: "example.org/v1",
    kind: "Widget",
    metadata: { name: "w", namespace: "a" },
  };
  const crd: KubeObject = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.org" },
    spec: { group: "example.org", names: { kind: "Widget" } },
  };
  const options = { mapper: MAPPER, ownership: NAMESPACED, namespaces: [] };
  const alone = await resolveDesired([manifest(widget)], options);
  assert.equal(alone.unresolved[0]?.reason, "UnknownKind");
  assert.match(
    alone.unresolved[0]?.message ?? "",
    /core\/test.yaml line 1: Widget w: No kind Widget in group example.org/,
  );
  const together = await resolveDesired([manifest(crd), manifest(widget)], options);
  assert.deepEqual(together.unresolved, []);
  assert.equal(together.desired[1]?.resource, undefined);
});

Deno.test("what is left to others is not in our own apply", async () => {
  const object: KubeObject = { ...configMap("x", "a"), spec: { replicas: 3, other: 1 } };
  const { desired } = await resolveDesired([manifest(object, { ignore: ["spec.replicas", "spec.absent"] })], {
    mapper: MAPPER,
    ownership: NAMESPACED,
    namespaces: [],
  });
  assert.deepEqual(desired[0]?.object.spec, { other: 1 });
  assert.deepEqual(desired[0]?.initial, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "x", namespace: "a" },
    spec: { replicas: 3 },
  });
});
