/**
 * A child's CRD stops serving the version that the child was made in: an ordinary upgrade. The child lives on in another version, so it must still be
 * updated, watched and taken away; only a kind that is not there in any version counts as gone.
 */
import assert from "node:assert/strict";
import type { ObjectRef } from "../../engine/mod.ts";
import { uniqueName } from "./control_plane.ts";
import { type Fixture, fixture, statusOf } from "./fixture.ts";
import { type Cluster, holds, until } from "./harness.ts";

interface Gadgets {
  readonly group: string;
  /** Installs the CRD, or changes which versions it serves. */
  serve(cluster: Cluster, versions: readonly string[]): Promise<void>;
  remove(cluster: Cluster): Promise<void>;
  ref(name: string): ObjectRef;
  template(version: string): string;
}

function gadgets(): Gadgets {
  const group = `${uniqueName("g")}.example.com`;
  const crd: ObjectRef = {
    group: "apiextensions.k8s.io",
    version: "v1",
    kind: "CustomResourceDefinition",
    name: `gadgets.${group}`,
  };
  const isServed = (cluster: Cluster, version: string) =>
    cluster.mapper.resourceFor({ group, version, kind: "Gadget" }).then(() => true, () => false);
  return {
    group,
    serve: async (cluster, versions) => {
      const all = ["v1alpha1", "v1"].map((name) => `
    - name: ${name}
      served: ${versions.includes(name)}
      storage: ${name === "v1"}
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}`);
      await cluster.apply(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${crd.name}}
spec:
  group: ${group}
  names: {kind: Gadget, plural: gadgets, singular: gadget}
  scope: Cluster
  versions:${all.join("")}
`);
      await until(`discovery tells ${versions.join(", ")}`, async () => {
        cluster.mapper.invalidate();
        for (const version of ["v1alpha1", "v1"]) {
          if (await isServed(cluster, version) !== versions.includes(version)) return undefined;
        }
        return true;
      });
    },
    remove: async (cluster) => {
      await cluster.remove(crd);
      await until("the CRD is gone", async () => await cluster.get(crd) === undefined || undefined, 20_000);
    },
    ref: (name) => ({ group, version: "v1", kind: "Gadget", name }),
    template: (version) => `
apiVersion: ${group}/${version}
kind: Gadget
metadata: {name: "[{ name }]-[{ operator.namespace }]"}
spec: {v: [{ (spec.v or "none") | tojson }]}
`,
  };
}

interface Made {
  readonly world: Fixture;
  readonly gadget: Gadgets;
  readonly child: ObjectRef;
}

/** An instance `one` whose Gadget was made as v1alpha1 by an operator that runs no more, unless the test starts its own. */
async function withGadgets(test: (made: Made) => Promise<void>): Promise<void> {
  const gadget = gadgets();
  await using world = await fixture({ files: { "core/gadget.yaml": gadget.template("v1alpha1") } });
  await gadget.serve(world.cluster, ["v1alpha1", "v1"]);
  try {
    await test({ world, gadget, child: gadget.ref(`one-${world.namespace}`) });
  } finally {
    await gadget.remove(world.cluster);
  }
}

async function made({ world, child }: Made): Promise<void> {
  await world.put("one", { v: "1" });
  await world.ready("one");
  assert.ok(await world.cluster.get(child));
}

Deno.test("served versions: the version goes while the operator is down; the instance is deleted: its child goes", async () => {
  await withGadgets(async (all) => {
    const { world, gadget, child } = all;
    {
      await using _operator = world.start();
      await made(all);
    }
    await gadget.serve(world.cluster, ["v1"]);
    await using _operator = world.start();
    await world.cluster.remove(world.thing.ref("one"));
    await world.gone("one");
    assert.equal(await world.cluster.get(child), undefined);
  });
});

Deno.test("served versions: the version goes while the operator runs; the instance is deleted: its child goes", async () => {
  await withGadgets(async (all) => {
    const { world, gadget, child } = all;
    await using _operator = world.start();
    await made(all);
    await gadget.serve(world.cluster, ["v1"]);
    await world.cluster.remove(world.thing.ref("one"));
    await world.gone("one", 20_000);
    assert.equal(await world.cluster.get(child), undefined);
  });
});

Deno.test("served versions: the template follows to the new version: the child is updated, and drift is seen there", async () => {
  await withGadgets(async (all) => {
    const { world, gadget, child } = all;
    const { cluster } = world;
    await using _operator = world.start();
    await made(all);
    const uid = (await cluster.get(child))?.metadata.uid;
    await gadget.serve(cluster, ["v1"]);
    await world.impl.write("core/gadget.yaml", gadget.template("v1"));
    await world.put("one", { v: "2" });
    await until("the child has the new value", async () => {
      const live = await cluster.get(child);
      assert.deepEqual(live?.spec, { v: "2" });
      return true;
    }, 20_000);
    await world.ready("one", 20_000);
    assert.equal((await cluster.get(child))?.metadata.uid, uid, "it is the same object");

    await cluster.patch(child, { spec: { v: "drift" } });
    await until("drift is undone", async () => {
      assert.deepEqual((await cluster.get(child))?.spec, { v: "2" });
      return true;
    });
    await world.impl.write("core/gadget.yaml", "# nothing\n");
    await until(
      "what is no longer rendered goes",
      async () => await cluster.get(child) === undefined || undefined,
    );
  });
});

Deno.test("served versions: the version goes, and the template no longer prints the child: it goes", async () => {
  await withGadgets(async (all) => {
    const { world, gadget, child } = all;
    await using _operator = world.start();
    await made(all);
    await gadget.serve(world.cluster, ["v1"]);
    await world.impl.write("core/gadget.yaml", "# nothing\n");
    await until(
      "the child goes",
      async () => await world.cluster.get(child) === undefined || undefined,
      20_000,
    );
    await world.ready("one", 20_000);
  });
});

Deno.test("served versions: an API server of the group is down: nothing counts as gone, and it is said", async () => {
  await withGadgets(async (all) => {
    const { world, gadget } = all;
    const { cluster, thing } = world;
    {
      await using _operator = world.start();
      await made(all);
    }
    // The CRD goes with all objects, and an aggregated API that cannot be reached takes its place.
    await gadget.remove(cluster);
    const down: ObjectRef = {
      group: "apiregistration.k8s.io",
      version: "v1",
      kind: "APIService",
      name: `v1.${gadget.group}`,
    };
    await cluster.apply(`
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: ${down.name}}
spec:
  group: ${gadget.group}
  version: v1
  groupPriorityMinimum: 1000
  versionPriority: 15
  insecureSkipTLSVerify: true
  service: {name: nobody, namespace: ${world.namespace}}
`);
    try {
      await until("discovery is incomplete", async () => {
        cluster.mapper.invalidate();
        const why = await cluster.mapper.servedAs(gadget.ref("x")).then(() => "", String);
        return why.includes("is incomplete") || undefined;
      });
      await using _operator = world.start();
      await cluster.remove(thing.ref("one"));
      const ready = await world.condition("one", "Ready", "WatchFailed");
      assert.match(String(ready.message), /Discovery of group .* is incomplete/);
      await holds(
        "the instance waits",
        async () => statusOf(await cluster.get(thing.ref("one"))).observedGeneration !== undefined,
        1_000,
      );
      await cluster.remove(down);
      await world.gone("one", 30_000);
    } finally {
      if (await cluster.get(down) !== undefined) await cluster.remove(down);
      await gadget.serve(cluster, ["v1"]);
    }
  });
});
