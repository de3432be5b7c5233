/**
 * The cluster as the demo uses it: the engine's own client by reference instead of by endpoint. What comes out of YAML files goes through the guard of
 * the engine, as everything from outside does.
 */
import {
  type ClusterAccess,
  DiscoveryRestMapper,
  gvkOf,
  HttpKubeClient,
  isKubeObject,
  type JsonObject,
  type KubeObject,
  loadKubeConfig,
  NotFoundError,
  type ObjectRef,
  readDocuments,
  Transport,
} from "../../engine/mod.ts";

/** As whom the demo writes: the name that history shows. */
const FIELD_MANAGER = "demo";

/** How to reach it. */
export interface ClusterOptions {
  readonly kubeconfig: string;
  readonly context?: string;
}

/** See above. Everything throws ApiError. */
export class Cluster {
  readonly client: HttpKubeClient;
  readonly mapper: DiscoveryRestMapper;
  /** URL of the API server. */
  readonly server: string;
  readonly #transport: Transport;

  constructor(access: ClusterAccess) {
    this.#transport = new Transport(access, { userAgent: "generic-operator-demo" });
    this.client = new HttpKubeClient(this.#transport);
    this.mapper = new DiscoveryRestMapper(this.#transport, { restMs: 100 });
    this.server = access.server;
  }

  /** The object, or undefined when it is not there. */
  async get(ref: ObjectRef): Promise<KubeObject | undefined> {
    try {
      return (await this.client.get(await this.mapper.resourceFor(ref), ref)).object;
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }

  /** Makes a new object; one that is there already is an AlreadyExistsError. */
  async create(object: KubeObject): Promise<KubeObject> {
    const resource = await this.mapper.resourceFor(gvkOf(object));
    return (await this.client.create(resource, object, { fieldManager: FIELD_MANAGER })).object;
  }

  /** Merge patch. */
  async patch(ref: ObjectRef, patch: JsonObject): Promise<KubeObject> {
    const resource = await this.mapper.resourceFor(ref);
    return (await this.client.patch(resource, ref, patch, { fieldManager: FIELD_MANAGER })).object;
  }

  /** Deletes this very object, not a namesake. One that is gone already is fine. */
  async remove(ref: ObjectRef, uid: string): Promise<void> {
    try {
      await this.client.delete(await this.mapper.resourceFor(ref), ref, { uid });
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }

  /** Ends its connections. */
  close(): void {
    this.#transport.close();
  }
}

/** Connects; no request is sent yet. Throws KubeConfigError. */
export async function connect({ kubeconfig, context }: ClusterOptions): Promise<Cluster> {
  return new Cluster(
    await loadKubeConfig({
      path: kubeconfig,
      env: (name) => Deno.env.get(name),
      ...(context === undefined ? {} : { context }),
    }),
  );
}

/** The objects of a YAML file. Throws an Error that names the file. */
export async function readObjects(path: string): Promise<readonly KubeObject[]> {
  return readDocuments(await Deno.readTextFile(path)).map(({ value }) => {
    if (isKubeObject(value)) return value;
    throw new Error(`${path} holds a document without apiVersion, kind or metadata.name`);
  });
}
