/**
 * What integration tests stand on: a real API server (shared by the run), a CRD of the test's own, templates in a temporary folder, and the operator,
 * in this process or in its own. Everything carries a name of the test, so that tests do not see one another.
 */
import { runOperator } from "../../controllers/operator/run.ts";
import {
  DiscoveryRestMapper,
  type GroupVersionKind,
  gvkOf,
  HttpKubeClient,
  isJsonObject,
  type JsonObject,
  type KubeObject,
  lineLogger,
  loadKubeConfig,
  NotFoundError,
  type ObjectRef,
  readDocuments,
  type Resource,
  type Selection,
  Transport,
} from "../../engine/mod.ts";
import { sharedControlPlane, uniqueName } from "./control_plane.ts";

/** A cluster as a test sees it: with all rights. */
export interface Cluster {
  readonly kubeconfigPath: string;
  readonly auditLogPath: string | undefined;
  readonly client: HttpKubeClient;
  readonly mapper: DiscoveryRestMapper;
  /** Server-side apply of YAML or objects, as the field manager `test`. */
  apply(manifests: string | KubeObject, fieldManager?: string): Promise<void>;
  get(ref: ObjectRef): Promise<KubeObject | undefined>;
  patch(
    ref: ObjectRef,
    patch: JsonObject,
    options?: { fieldManager?: string; subresource?: "status" | "scale" },
  ): Promise<void>;
  remove(ref: ObjectRef): Promise<void>;
  /** All objects of a kind. */
  list(type: GroupVersionKind, options?: Selection): Promise<readonly KubeObject[]>;
  close(): void;
}

/** The files of a control plane that a test may need. */
export interface ControlPlaneFiles {
  readonly kubeconfigPath: string;
  readonly auditLogPath: string | undefined;
}

/** Connects to the shared control plane, or to another one. */
export async function connect(controlPlane?: ControlPlaneFiles): Promise<Cluster> {
  const { kubeconfigPath: path, auditLogPath } = controlPlane ?? await sharedControlPlane();
  const access = await loadKubeConfig({ path, env: () => undefined });
  const transport = new Transport(access, { userAgent: "test" });
  const client = new HttpKubeClient(transport);
  const mapper = new DiscoveryRestMapper(transport, { restMs: 50 });
  const resourceOf = (ref: ObjectRef): Promise<Resource> => mapper.resourceFor(ref);
  return {
    kubeconfigPath: path,
    auditLogPath,
    client,
    mapper,
    apply: async (manifests, fieldManager = "test") => {
      const objects = typeof manifests === "string"
        ? readDocuments(manifests).map(({ value }) => value)
        : [manifests];
      for (const object of objects) {
        const known = asObject(object);
        const resource = await mapper.resourceFor(gvkOf(known));
        await client.apply(resource, known, { fieldManager });
      }
    },
    get: async (ref) => {
      try {
        return (await client.get(await resourceOf(ref), ref)).object;
      } catch (error) {
        if (error instanceof NotFoundError) return undefined;
        throw error;
      }
    },
    patch: async (ref, patch, { fieldManager = "test", subresource } = {}) => {
      await client.patch(await resourceOf(ref), ref, patch, {
        fieldManager,
        ...(subresource === undefined ? {} : { subresource }),
      });
    },
    remove: async (ref) => {
      const resource = await resourceOf(ref);
      const { object } = await client.get(resource, ref);
      await client.delete(resource, ref, { uid: object.metadata.uid ?? "" });
    },
    list: async (type, options = {}) => {
      const { items } = await client.list(await mapper.resourceFor(type), options);
      return items.map(({ object }) => object);
    },
    close: () => transport.close(),
  };
}

function asObject(value: unknown): KubeObject {
  if (!isJsonObject(value)) throw new Error("A test manifest is not a mapping");
  const { apiVersion, kind, metadata } = value;
  if (
    typeof apiVersion !== "string" || typeof kind !== "string" || !isJsonObject(metadata) ||
    typeof metadata.name !== "string"
  ) {
    throw new Error(`A test manifest needs apiVersion, kind and metadata.name: ${JSON.stringify(value)}`);
  }
  return {
    ...value,
    apiVersion,
    kind,
    metadata: { ...metadata, name: metadata.name } as KubeObject["metadata"],
  };
}

/** A CRD `Thing` of a group of its own, whose spec and status may hold anything. */
export interface Toy {
  readonly group: string;
  readonly namespaced: boolean;
  readonly crd: string;
  ref(name: string, namespace?: string): ObjectRef;
  instance(name: string, spec: JsonObject, namespace?: string): KubeObject;
}

/** Makes a toy CRD; apply `toy.crd` to install it. */
export function toy({ namespaced = false }: { readonly namespaced?: boolean } = {}): Toy {
  const group = `${uniqueName("t")}.example.com`;
  const place = (namespace?: string) => namespace === undefined ? {} : { namespace };
  return {
    group,
    namespaced,
    crd: `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.${group}}
spec:
  group: ${group}
  names: {kind: Thing, plural: things, singular: thing}
  scope: ${namespaced ? "Namespaced" : "Cluster"}
  versions:
    - name: v1
      served: true
      storage: true
      subresources: {status: {}}
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
            status: {type: object, x-kubernetes-preserve-unknown-fields: true}
`,
    ref: (name, namespace) => ({ group, version: "v1", kind: "Thing", ...place(namespace), name }),
    instance: (name, spec, namespace) => ({
      apiVersion: `${group}/v1`,
      kind: "Thing",
      metadata: { name, ...place(namespace) },
      spec,
    }),
  };
}

/** An implementation in a temporary folder. */
export interface Templates {
  readonly folder: string;
  /** Writes one template (`folder/file`), as an editor would. */
  write(name: string, text: string): Promise<void>;
  /** Writes implementation.yaml with these templates in this order. */
  order(templates: readonly string[], more?: string): Promise<void>;
  remove(): Promise<void>;
}

/** Makes an implementation folder for a toy. */
export async function templates(
  of: Toy,
  files: Readonly<Record<string, string>>,
  more = "",
): Promise<Templates> {
  const folder = await Deno.makeTempDir({ prefix: "generic-operator-test-" });
  const write = async (name: string, text: string) => {
    const path = `${folder}/${name}`;
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(`${path}.new`, text);
    await Deno.rename(`${path}.new`, path);
  };
  const order = (names: readonly string[], extra = "") =>
    write(
      "implementation.yaml",
      `crd: {group: ${of.group}, version: v1, kind: Thing, plural: things}\n${extra}\ntemplates:\n${
        names.map((name) => `  - ${name}\n`).join("")
      }`,
    );
  for (const [name, text] of Object.entries(files)) await write(name, text);
  await order(Object.keys(files), more);
  return { folder, write, order, remove: () => Deno.remove(folder, { recursive: true }) };
}

/** A running operator. */
export interface RunningOperator extends AsyncDisposable {
  /** All log lines so far, as objects. */
  readonly logs: readonly JsonObject[];
  /** What its requests carry, and those of no other operator. */
  readonly userAgent: string;
  /** Stops it as SIGTERM would, and waits for the end. */
  stop(): Promise<void>;
}

/** What `startOperator` takes. */
export interface StartOptions {
  readonly cluster: Cluster;
  readonly implementations: readonly string[];
  /** The operator's namespace. Default `default`. */
  readonly namespace?: string;
  readonly crd?: {
    readonly group?: string;
    readonly version?: string;
    readonly kind?: string;
    readonly plural?: string;
  };
}

/** Starts operator mode in this process. */
export function startOperator(
  { cluster, implementations, namespace = "default", crd }: StartOptions,
): RunningOperator {
  const controller = new AbortController();
  const version = `0.0.0-${uniqueName("test")}`;
  const logs: JsonObject[] = [];
  const log = lineLogger({
    format: "json",
    level: "debug",
    now: () => new Date(),
    write: (line) => {
      const parsed: unknown = JSON.parse(line);
      if (isJsonObject(parsed)) logs.push(parsed);
    },
  });
  const running = runOperator({
    implementations,
    kubeconfig: cluster.kubeconfigPath,
    namespace,
    domain: "generic-operator.io",
    workers: 8,
    startupTimeoutMs: 60_000,
    version,
    ...(crd === undefined ? {} : { crd }),
  }, { env: () => undefined, log, signal: controller.signal });
  running.catch(() => {});
  const stop = async () => {
    controller.abort();
    await running;
  };
  return { logs, userAgent: `generic-operator/${version}`, stop, [Symbol.asyncDispose]: stop };
}

/** Asks until the answer is not undefined. Throws with the last problem when the time (default 10 s) is over. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined> | T | undefined,
  timeoutMs = 10_000,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  let problem: unknown;
  while (performance.now() < end) {
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
    } catch (error) {
      problem = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`Not within ${timeoutMs} ms: ${what}`, { cause: problem });
}

/** Stays true for the whole time: asked every 50 ms. */
export async function holds(
  what: string,
  ask: () => Promise<boolean> | boolean,
  durationMs: number,
): Promise<void> {
  const end = performance.now() + durationMs;
  while (performance.now() < end) {
    if (!await ask()) throw new Error(`Did not hold: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A condition of an object, if it is there. */
export function conditionOf(object: KubeObject | undefined, type: string): JsonObject | undefined {
  const status = object?.status;
  const conditions = isJsonObject(status) ? status.conditions : undefined;
  if (!Array.isArray(conditions)) return undefined;
  return conditions.find((one): one is JsonObject => isJsonObject(one) && one.type === type);
}
