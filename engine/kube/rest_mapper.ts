/**
 * From kind to resource by the server's aggregated discovery: two requests tell all, kept until a kind is missed.
 *
 * A miss reads again, since CRDs come and go; but a kind that is not there must not make every reconcile read, so not more often
 * than every few seconds, and concurrent callers share one reading.
 */
import { type GroupVersionKind, parseJson } from "../meta/mod.ts";
import { Catalog, type GroupDiscovery, isGroupList } from "./catalog.ts";
import type { Resource, RestMapper } from "./discovery.ts";
import { ApiError, NoMatchError, NotFoundError, NotServedError } from "./errors.ts";
import type { Transport } from "./transport.ts";

/** Options of a DiscoveryRestMapper. */
export interface DiscoveryRestMapperOptions {
  /** After a reading, a miss does not read again for this time, in milliseconds. Default 2,000. */
  readonly restMs?: number;
  /** Milliseconds of a clock. Default `performance.now`. */
  readonly now?: () => number;
}

interface Reading {
  readonly catalog: Promise<Catalog>;
  readonly startedAt: number;
}

const ACCEPT = ["v2", "v2beta1"]
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`).join(",");

/** RestMapper by discovery. */
export class DiscoveryRestMapper implements RestMapper {
  readonly #transport: Pick<Transport, "request">;
  readonly #restMs: number;
  readonly #now: () => number;
  #reading: Reading | undefined;

  constructor(transport: Pick<Transport, "request">, options: DiscoveryRestMapperOptions = {}) {
    this.#transport = transport;
    this.#restMs = options.restMs ?? 2_000;
    this.#now = options.now ?? (() => performance.now());
  }

  async resourceFor(type: GroupVersionKind): Promise<Resource> {
    const { found, catalog } = await this.#look((catalog) => catalog.find(type));
    if (found !== undefined) return found;
    throw new NoMatchError(catalog.explainMiss(type));
  }

  async servedAs(type: GroupVersionKind): Promise<Resource | undefined> {
    const { found, catalog } = await this.#look((catalog) => catalog.findInAnyVersion(type));
    if (found !== undefined) return found;
    const incomplete = catalog.explainIncomplete(type.group);
    if (incomplete !== undefined) throw new ApiError(incomplete, { code: 503 });
    await this.#confirmMiss(type);
    return undefined;
  }

  invalidate(): void {
    this.#reading = undefined;
  }

  /** Looks into what is known; on a miss, into what is known then. */
  async #look(
    find: (catalog: Catalog) => Resource | undefined,
  ): Promise<{ readonly found: Resource | undefined; readonly catalog: Catalog }> {
    const reading = this.#reading ?? this.#read(undefined);
    const known = await reading.catalog;
    const found = find(known);
    if (found !== undefined) return { found, catalog: known };
    const catalog = await this.#newerThan(reading).catalog;
    return { found: find(catalog), catalog };
  }

  /**
   * An API server that has just started shows groups before it has read its CRDs, and marks nothing as stale. But until it is whole it answers a
   * path that it does not know with 503.
   */
  async #confirmMiss(type: GroupVersionKind): Promise<void> {
    const path = type.group === "" ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`;
    const attempt = { verb: "Discovery", subject: path, secret: false };
    try {
      await this.#transport.request({ attempt, method: "GET", path, accept: "application/json" });
    } catch (error) {
      if (!(error instanceof NotServedError || error instanceof NotFoundError)) throw error;
    }
  }

  /** After a miss: what somebody else has read since, a new reading, or the same one when that is young. */
  #newerThan(missed: Reading): Reading {
    if (this.#reading !== missed) return this.#reading ?? this.#read(undefined);
    return this.#now() - missed.startedAt < this.#restMs ? missed : this.#read(missed);
  }

  /** Reads the discovery; when that fails, what was known before is known again. */
  #read(before: Reading | undefined): Reading {
    const reading = { catalog: this.#request(), startedAt: this.#now() };
    this.#reading = reading;
    reading.catalog.catch(() => {
      if (this.#reading === reading) this.#reading = before;
    });
    return reading;
  }

  async #request(): Promise<Catalog> {
    const lists = await Promise.all([this.#groups("/api"), this.#groups("/apis")]);
    return new Catalog(lists.flat());
  }

  async #groups(path: string): Promise<readonly GroupDiscovery[]> {
    const attempt = { verb: "Discovery", subject: path, secret: false };
    const list = parseJson(await this.#transport.request({ attempt, method: "GET", path, accept: ACCEPT }));
    if (isGroupList(list)) return list.items;
    throw new ApiError(
      `Discovery of ${path} failed: the server has no aggregated discovery (Kubernetes 1.27 or newer is needed)`,
      {
        code: 200,
      },
    );
  }
}
