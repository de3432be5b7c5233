/**
 * Informers against a real API server: what a scripted one cannot show, namely that the server streams lists, sends what we wait for, and ends or
 * breaks off watches as we think it does.
 */
import assert from "node:assert/strict";
import {
  HttpKubeClient,
  InvalidError,
  loadKubeConfig,
  NotServedError,
  type Resource,
  Transport,
} from "../../engine/kube/mod.ts";
import type { KubeObject, ObjectRef } from "../../engine/meta/mod.ts";
import { Informer, type InformerOptions } from "../../engine/watch/mod.ts";
import { startControlPlane } from "../../tools/control_plane/control_plane.ts";
import { sharedControlPlane, uniqueName } from "./control_plane.ts";
import { startProxy } from "./proxy.ts";

const CONFIG_MAPS: Resource = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  namespaced: true,
  subresources: [],
  verbs: [],
};
const CRDS: Resource = {
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  namespaced: false,
  subresources: [],
  verbs: [],
};
const BY = { fieldManager: "test" };

Deno.test("informer: a list as a stream, edits, deletions and own writes, of metadata and of whole objects", async () => {
  const { kubeconfigPath } = await sharedControlPlane();
  await using cluster = await connect(kubeconfigPath);
  const { client, label } = cluster;
  await cluster.make("one");
  await cluster.make("two");
  const list = () => Promise.reject(new Error("A list in pages was asked for"));
  const streaming = { ...cluster, client: { list, watch: client.watch.bind(client) } };
  await using whole = watching(streaming, CONFIG_MAPS);
  await using metadata = watching(streaming, CONFIG_MAPS, { metadataOnly: true });
  for (const { informer, heard } of [whole, metadata]) {
    await informer.whenSynced({ timeoutMs: 10_000 });
    assert.deepEqual(heard.toSorted(), ["+one", "+two"]);
    assert.equal(informer.restarts, 0);
  }
  assert.match(whole.informer.read("default", nameOf(label, "one"))?.text ?? "", /"a":"1"/);
  const manager = metadata.informer.get("default", nameOf(label, "one"))?.metadata.managedFields?.[0]
    ?.manager;
  assert.equal(manager, "test");
  assert.equal(metadata.informer.get("default", nameOf(label, "one"))?.data, undefined);

  await client.patch(CONFIG_MAPS, refTo(label, "one"), { data: { a: "2" } }, BY);
  await until(() => whole.heard.includes("~one") && metadata.heard.includes("~one"), "the edit is told");

  const written = await client.patch(CONFIG_MAPS, refTo(label, "two"), { data: { a: "3" } }, BY);
  const pending = whole.informer.beginWrite("default", nameOf(label, "two"));
  pending.done(written.object, written.text);
  const read = whole.informer.get("default", nameOf(label, "two"));
  assert.equal(read?.metadata.resourceVersion, written.object.metadata.resourceVersion);
  await until(() => whole.heard.includes("~two"), "the own write is told");

  await cluster.remove("one");
  await until(() => whole.heard.includes("-one") && metadata.heard.includes("-one"), "the deletion is told");
  assert.deepEqual([whole.informer.restarts, metadata.informer.restarts], [0, 0]);
});

Deno.test("informer: 300 own writes in a row are read back at once, also while connections break", async () => {
  const { kubeconfigPath } = await sharedControlPlane();
  await using cluster = await connect(kubeconfigPath);
  await using proxy = await startProxy(kubeconfigPath);
  await using proxied = await connect(proxy.kubeconfigPath, cluster.label);
  const { client, label } = cluster;
  await using run = watching(proxied, CONFIG_MAPS, { metadataOnly: true });
  const { informer } = run;
  await informer.whenSynced({ timeoutMs: 10_000 });
  const read = () => informer.get("default", nameOf(label, "one"));
  let lagging = 0;
  for (let i = 1; i <= 300; i++) {
    if (i % 50 === 0) {
      proxy.cut();
      proxy.mend();
    }
    const before = read();
    const pending = informer.beginWrite("default", nameOf(label, "one"));
    if (before === undefined || i % 7 !== 0) {
      const written = await client.apply(CONFIG_MAPS, configMap(label, "one", { a: `${i}` }), BY);
      pending.done(written);
      assert.equal(read()?.metadata.resourceVersion, written.metadata.resourceVersion, `write ${i}`);
    } else {
      const uid = before.metadata.uid ?? "";
      assert.equal(await client.delete(CONFIG_MAPS, refTo(label, "one"), { uid }), "gone");
      pending.gone();
      assert.equal(read(), undefined, `deletion ${i}`);
    }
    if (run.heard.length < i) lagging++;
  }
  assert.ok(lagging > 0, "the watch never lagged: nothing was tried");
  await until(() => informer.restarts > 0, "the cuts are noticed");
});

Deno.test("informer: 1,100 objects in pages, where lists cannot be streamed, each once", async () => {
  const { kubeconfigPath } = await sharedControlPlane();
  await using cluster = await connect(kubeconfigPath);
  const { client } = cluster;
  await Promise.all(Array.from({ length: 1100 }, (_, i) => cluster.make(`${i}`)));
  const pages: number[] = [];
  const paging: Watchable = {
    list: async (resource, options) => {
      const page = await client.list(resource, options);
      pages.push(page.items.length);
      return page;
    },
    watch: (resource, options) => {
      if (options.sendInitialEvents) throw new InvalidError("No streams here", { code: 422 });
      return client.watch(resource, options);
    },
  };
  await using run = watching({ ...cluster, client: paging }, CONFIG_MAPS, { metadataOnly: true });
  await run.informer.whenSynced({ timeoutMs: 10_000 });
  assert.deepEqual(pages, [500, 500, 100]);
  assert.equal(new Set(run.heard).size, 1100);
  await cluster.make("later");
  await until(() => run.heard.at(-1) === "+later", "the watch goes on from the list");
  assert.equal(run.heard.length, 1101);
});

Deno.test("informer: what was deleted and changed while the connection was cut is told when it is back", async () => {
  const { kubeconfigPath } = await sharedControlPlane();
  await using cluster = await connect(kubeconfigPath);
  await using proxy = await startProxy(kubeconfigPath);
  await using proxied = await connect(proxy.kubeconfigPath, cluster.label);
  for (const name of ["deleted", "edited", "left"]) await cluster.make(name);
  await using run = watching(proxied, CONFIG_MAPS);
  await run.informer.whenSynced({ timeoutMs: 10_000 });
  run.heard.length = 0;
  proxy.cut();
  await until(() => run.informer.lastError !== undefined, "the cut is noticed");
  await cluster.remove("deleted");
  await cluster.client.patch(CONFIG_MAPS, refTo(cluster.label, "edited"), { data: { a: "2" } }, BY);
  proxy.mend();
  await until(() => run.heard.length === 2, "both changes are told");
  assert.deepEqual(run.heard.toSorted(), ["-deleted", "~edited"]);
});

Deno.test("informer: a connection that is dead without an end is noticed by its silence", async () => {
  const { kubeconfigPath } = await sharedControlPlane();
  await using cluster = await connect(kubeconfigPath);
  await using proxy = await startProxy(kubeconfigPath);
  await using proxied = await connect(proxy.kubeconfigPath, cluster.label);
  await cluster.make("one");
  await using run = watching(proxied, CONFIG_MAPS, {}, { stallMs: 2000 });
  await run.informer.whenSynced({ timeoutMs: 10_000 });
  proxy.freeze();
  await cluster.make("two");
  await until(() => run.heard.includes("+two"), "the change is told over a new connection");
  assert.ok(run.informer.restarts >= 1);
});

Deno.test("informer: an API server that stops and starts: changes are told, and nothing else", async () => {
  await using plane = await startControlPlane({ controllerManager: false });
  await using cluster = await connect(plane.kubeconfigPath);
  for (const name of ["deleted", "left"]) await cluster.make(name);
  await using run = watching(cluster, CONFIG_MAPS);
  await run.informer.whenSynced({ timeoutMs: 10_000 });
  run.heard.length = 0;
  await plane.stopApiServer();
  await until(() => run.informer.lastError !== undefined, "the stop is noticed");
  assert.equal(run.informer.list().length, 2, "the cache goes on answering");
  await plane.startApiServer();
  await cluster.remove("deleted");
  await cluster.make("new");
  await until(() => run.heard.length === 2, "both changes are told");
  assert.deepEqual(run.heard.toSorted(), ["+new", "-deleted"]);
  assert.equal(run.informer.lastError, undefined);
});

Deno.test("informer: a CRD that is not there yet, is deleted, and is made again", async () => {
  const { kubeconfigPath } = await sharedControlPlane();
  await using cluster = await connect(kubeconfigPath);
  const { client } = cluster;
  const resource = thingsOf(`${uniqueName("watch")}.example.com`);
  await using run = watching(cluster, resource, { labelSelector: "" });
  await until(() => run.informer.lastError instanceof NotServedError, "the missing CRD is noticed");
  for (const name of ["first", "second"]) {
    const crd = await client.create(CRDS, crdOf(resource), BY);
    await until(
      () => run.informer.synced && run.informer.lastError === undefined,
      "the CRD is watched",
      60_000,
    );
    const thing = {
      apiVersion: `${resource.group}/v1`,
      kind: "Thing",
      metadata: { name: `${cluster.label}-${name}` },
    };
    await until(async () => {
      return await client.create(resource, thing, BY).then(() => true, (error) => {
        if (error instanceof NotServedError) return false;
        throw error;
      });
    }, "the CRD serves");
    await until(() => run.heard.includes(`+${name}`), `${name} is told`, 60_000);
    await client.delete(CRDS, cluster.refOf(crd.object), { uid: crd.object.metadata.uid ?? "" });
    await until(() => run.heard.includes(`-${name}`), `the end of ${name} is told`, 60_000);
    await until(
      () => run.informer.lastError instanceof NotServedError,
      "the end of the CRD is noticed",
      60_000,
    );
  }
  assert.deepEqual(run.heard, ["+first", "-first", "+second", "-second"]);
});

interface Cluster extends AsyncDisposable {
  readonly client: HttpKubeClient;
  /** Value of the label `test`, and beginning of all names. */
  readonly label: string;
  make(name: string): Promise<void>;
  remove(name: string): Promise<void>;
  refOf(object: KubeObject): ObjectRef;
}

/** A client, and ConfigMaps of the test's own in the namespace `default`. */
async function connect(kubeconfigPath: string, label = uniqueName("watch")): Promise<Cluster> {
  const transport = new Transport(await loadKubeConfig({ path: kubeconfigPath, env: () => undefined }));
  const client = new HttpKubeClient(transport);
  return {
    client,
    label,
    make: async (name) => {
      await client.create(CONFIG_MAPS, configMap(label, name, { a: "1" }), BY);
    },
    remove: async (name) => {
      const { object } = await client.get(CONFIG_MAPS, refTo(label, name));
      await client.delete(CONFIG_MAPS, refTo(label, name), { uid: object.metadata.uid ?? "" });
    },
    refOf: ({ metadata: { name } }) => ({ ...CRDS, name }),
    [Symbol.asyncDispose]: () => {
      transport.close();
      return Promise.resolve();
    },
  };
}

type Watchable = InformerOptions["client"];

interface Watching extends AsyncDisposable {
  readonly informer: Informer;
  /** `+name`, `~name`, `-name` as listeners heard it, without the label. */
  readonly heard: string[];
}

/** An informer at work until the end of the scope. */
function watching(
  { client, label }: { readonly client: Watchable; readonly label: string },
  resource: Resource,
  selection: InformerOptions["selection"] = {},
  more: Pick<InformerOptions, "stallMs"> = {},
): Watching {
  const heard: string[] = [];
  const informer = new Informer({
    client,
    resource,
    selection: { labelSelector: `test=${label}`, ...selection },
    ...more,
  });
  informer.onChange(({ old, new: now }) => {
    const name = (now ?? old)?.metadata.name.slice(label.length + 1);
    heard.push(`${old === undefined ? "+" : now === undefined ? "-" : "~"}${name}`);
  });
  const stop = new AbortController();
  const ended = informer.run(stop.signal);
  return {
    informer,
    heard,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await ended;
    },
  };
}

function nameOf(label: string, name: string): string {
  return `${label}-${name}`;
}

function configMap(label: string, name: string, data: Readonly<Record<string, string>>): KubeObject {
  const metadata = { namespace: "default", name: nameOf(label, name), labels: { test: label } };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data };
}

function refTo(label: string, name: string): ObjectRef {
  return { ...CONFIG_MAPS, namespace: "default", name: nameOf(label, name) };
}

function thingsOf(group: string): Resource {
  return {
    group,
    version: "v1",
    kind: "Thing",
    plural: "things",
    namespaced: false,
    subresources: [],
    verbs: [],
  };
}

function crdOf({ group }: Resource): KubeObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: "Cluster",
      names: { kind: "Thing", plural: "things", singular: "thing" },
      versions: [{
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object" } },
      }],
    },
  };
}

/** Waits until it holds; throws after the time limit, in milliseconds. */
async function until(holds: () => boolean | Promise<boolean>, what: string, limitMs = 30_000): Promise<void> {
  const end = performance.now() + limitMs;
  while (!await holds()) {
    if (performance.now() > end) throw new Error(`Not within ${limitMs / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
