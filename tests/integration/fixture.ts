/**
 * A whole small world for one test: a CRD, a namespace and templates of its own, and operators over them. Disposing takes the CRD, the namespace and
 * the folder away, also after a failure: what a test leaves behind would be met by the next one.
 */
import type { JsonObject, KubeObject, ObjectRef } from "../../engine/mod.ts";
import { isJsonObject } from "../../engine/mod.ts";
import { uniqueName } from "./control_plane.ts";
import {
  type Cluster,
  conditionOf,
  connect,
  type ControlPlaneFiles,
  type RunningOperator,
  startOperator,
  type StartOptions,
  type Templates,
  templates,
  type Toy,
  toy,
  until,
} from "./harness.ts";

/** See the file's head. Instances are called by short names; children of the templates lie in `namespace`, where the records are, too. */
export interface Fixture extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly thing: Toy;
  readonly impl: Templates;
  readonly namespace: string;
  /** Starts an operator over the templates' folder, or as the options say. */
  start(options?: Partial<StartOptions>): RunningOperator;
  /** Applies an instance. */
  put(name: string, spec?: JsonObject): Promise<void>;
  /** The instance, once it is Ready at the generation of now. */
  ready(name: string, timeoutMs?: number): Promise<KubeObject>;
  /** Waits until an instance is Ready at this revision; a later one is a failure. */
  revision(name: string, revision: number): Promise<void>;
  /** Waits until a condition of an instance has this reason, and gives it. */
  condition(name: string, type: string, reason: string): Promise<JsonObject>;
  /** Waits until an instance is gone. */
  gone(name: string, timeoutMs?: number): Promise<void>;
  /** A ConfigMap in the namespace. */
  configMap(name: string): ObjectRef;
}

/** What a fixture is made of. */
export interface FixtureOptions {
  readonly files: Readonly<Record<string, string>>;
  /** Lines for implementation.yaml. */
  readonly more?: string;
  readonly namespaced?: boolean;
  /** Changes the CRD before it is installed. `""` installs none. */
  readonly crd?: (crd: string) => string;
  /** Default: the shared control plane. */
  readonly controlPlane?: ControlPlaneFiles;
}

/** Makes a fixture, and waits until the CRD is served. */
export async function fixture(options: FixtureOptions): Promise<Fixture> {
  const cluster = await connect(options.controlPlane);
  const namespace = uniqueName("world");
  const thing = toy({ namespaced: options.namespaced ?? false });
  const crd = (options.crd ?? ((text) => text))(thing.crd);
  await cluster.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  if (crd !== "") await install(cluster, thing, crd);
  const impl = await templates(thing, options.files, `namespaces: [${namespace}]\n${options.more ?? ""}`);
  const ref = (name: string) => thing.ref(name, thing.namespaced ? namespace : undefined);
  return {
    cluster,
    thing,
    impl,
    namespace,
    start: (more = {}) => startOperator({ cluster, implementations: [impl.folder], namespace, ...more }),
    put: (name, spec = {}) =>
      cluster.apply(thing.instance(name, spec, thing.namespaced ? namespace : undefined)),
    ready: (name, timeoutMs) =>
      until(`${name} is Ready`, async () => {
        const object = await cluster.get(ref(name));
        const ready = conditionOf(object, "Ready");
        if (ready?.status === "True" && ready.observedGeneration === object?.metadata.generation) {
          return object;
        }
        throw new Error(ready === undefined ? "No such condition" : `${ready.reason}: ${ready.message}`);
      }, timeoutMs),
    revision: async (name, revision) => {
      const shown = await until(`${name} is Ready at revision ${revision}`, async () => {
        const object = await cluster.get(ref(name));
        const now = Number(statusOf(object).revision);
        if (conditionOf(object, "Ready")?.status === "True" && now >= revision) return now;
        throw new Error(JSON.stringify(object?.status));
      });
      if (shown > revision) throw new Error(`${name} has revision ${shown}, beyond ${revision}`);
    },
    condition: (name, type, reason) =>
      until(`${type} of ${name} has the reason ${reason}`, async () => {
        const condition = conditionOf(await cluster.get(ref(name)), type);
        if (condition?.reason === reason) return condition;
        throw new Error(`${condition?.reason}: ${condition?.message}`);
      }),
    gone: async (name, timeoutMs) => {
      await until(
        `${name} is gone`,
        async () => await cluster.get(ref(name)) === undefined || undefined,
        timeoutMs,
      );
    },
    configMap: (name) => configMapRef(name, namespace),
    [Symbol.asyncDispose]: async () => {
      await uninstall(cluster, thing);
      await cluster.remove({ group: "", version: "v1", kind: "Namespace", name: namespace });
      await impl.remove();
      cluster.close();
    },
  };
}

/** Installs a toy's CRD and waits until it is served. */
export async function install(cluster: Cluster, thing: Toy, crd = thing.crd): Promise<void> {
  await cluster.apply(crd);
  await until("the CRD is served", () => cluster.mapper.resourceFor(thing.ref("x")));
}

/** Takes a toy's CRD away with all instances, also those whose operator is gone. */
export async function uninstall(cluster: Cluster, thing: Toy): Promise<void> {
  const crd: ObjectRef = {
    group: "apiextensions.k8s.io",
    version: "v1",
    kind: "CustomResourceDefinition",
    name: `things.${thing.group}`,
  };
  if (await cluster.get(crd) === undefined) return;
  for (const { metadata: { name, namespace, deletionTimestamp } } of await cluster.list(thing.ref("x"))) {
    const ref = thing.ref(name, namespace);
    await cluster.patch(ref, { metadata: { finalizers: null } });
    if (deletionTimestamp === undefined) await cluster.remove(ref);
  }
  await cluster.remove(crd);
  await until("the CRD is gone", async () => await cluster.get(crd) === undefined || undefined, 20_000);
}

/** A ConfigMap's reference. */
export function configMapRef(name: string, namespace: string): ObjectRef {
  return { group: "", version: "v1", kind: "ConfigMap", namespace, name };
}

/** A template of the ConfigMap `<instance>-<suffix>` in the operator's namespace; its data hold `spec.v`. */
export function configMapTemplate(suffix: string, more = ""): string {
  return `
apiVersion: v1
kind: ConfigMap
metadata: {name: [{ name }]-${suffix}, namespace: [{ operator.namespace }]}
data: {v: [{ (spec.v or "none") | tojson }]}
${more}`;
}

/** `data` of a ConfigMap. */
export function dataOf(object: KubeObject | undefined): JsonObject {
  return isJsonObject(object?.data) ? object.data : {};
}

/** `status` of an instance. */
export function statusOf(object: KubeObject | undefined): JsonObject {
  return isJsonObject(object?.status) ? object.status : {};
}

/** The Events about an object of a toy. Cluster-scoped ones lie in `default`. */
export async function eventsAbout(
  cluster: Cluster,
  { group, name, namespace = "default" }: ObjectRef,
): Promise<readonly { readonly reason: string; readonly note: string }[]> {
  const events = await cluster.list({ group: "events.k8s.io", version: "v1", kind: "Event" }, { namespace });
  return events.filter(({ regarding }) =>
    isJsonObject(regarding) && regarding.name === name && regarding.apiVersion === `${group}/v1`
  ).map((event) => ({ reason: String(event.reason), note: String(event.note) }));
}
