/**
 * The audit log of a control plane, read back: what was asked of the API server, by whom, how often. It is how promises
 * about silence are tested ("no write, no read besides watches"), since it sees what a client really sent.
 *
 * Every request counts once: when it is complete, and a watch when it starts, for it may not end within a test. The API
 * server writes an entry right after it answered, so the very last answer may be missing for some milliseconds.
 */

/** One request. */
export interface AuditEvent {
  /** `get list watch create update patch delete deletecollection`, or another verb in lower case. */
  readonly verb: string;
  /** Plural, group and subresource as in `deployments.apps/scale`; empty for a path that is no resource. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly user: string;
  readonly userAgent: string;
  /** Status code of the answer. */
  readonly code: number;
  /** Path and query of the request. */
  readonly uri: string;
}

/** Which events to give. Texts have to be equal, except that `userAgent` has to be contained. */
export interface AuditFilter {
  /** Offset in bytes to begin at, as `auditOffset` gave it. Default 0. */
  readonly from?: number;
  readonly user?: string;
  readonly userAgent?: string;
  readonly verb?: string;
}

/** Requests by what they do: all of each sort, and by resource and verb. */
export interface RequestCounts {
  /** create, update, patch, delete, deletecollection. */
  readonly writes: number;
  /** get, list, watch. */
  readonly reads: number;
  /** Resource, then verb, to number: `{configmaps: {patch: 2}}`. */
  readonly byResource: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const WRITES = ["create", "update", "patch", "delete", "deletecollection"];
const READS = ["get", "list", "watch"];

/** Where the log ends now: pass it as `from` to see only what comes later. */
export async function auditOffset(path: string): Promise<number> {
  return (await Deno.stat(path)).size;
}

/** The events of the log that `filter` lets through, in the order in which they were written. */
export async function readAudit(path: string, filter: AuditFilter = {}): Promise<readonly AuditEvent[]> {
  const { from = 0, user, userAgent, verb } = filter;
  const text = await readFrom(path, from);
  const whole = text.slice(0, text.lastIndexOf("\n") + 1); // the last line may be on its way
  return whole.split("\n").filter((line) => line !== "").flatMap(parseEvent).filter((event) =>
    (user === undefined || event.user === user) &&
    (userAgent === undefined || event.userAgent.includes(userAgent)) &&
    (verb === undefined || event.verb === verb)
  );
}

/** Counts events by what they do. Other verbs (`proxy`, `options`, ...) stand in `byResource` only. */
export function countRequests(events: readonly AuditEvent[]): RequestCounts {
  const byResource: Record<string, Record<string, number>> = {};
  for (const { resource, verb } of events) {
    const verbs = byResource[resource] ??= {};
    verbs[verb] = (verbs[verb] ?? 0) + 1;
  }
  return {
    writes: events.filter((event) => WRITES.includes(event.verb)).length,
    reads: events.filter((event) => READS.includes(event.verb)).length,
    byResource,
  };
}

async function readFrom(path: string, offset: number): Promise<string> {
  using file = await Deno.open(path);
  await file.seek(offset, Deno.SeekMode.Start);
  return await new Response(file.readable).text();
}

function parseEvent(line: string): readonly AuditEvent[] {
  const event: unknown = JSON.parse(line);
  const verb = textAt(event, "verb");
  if (textAt(event, "stage") !== (verb === "watch" ? "ResponseStarted" : "ResponseComplete")) return [];
  const object = valueAt(event, "objectRef");
  const [resource, group, subresource] = ["resource", "apiGroup", "subresource"].map((key) =>
    textAt(object, key)
  );
  return [{
    verb,
    resource: `${resource}${group ? `.${group}` : ""}${subresource ? `/${subresource}` : ""}`,
    namespace: textAt(object, "namespace"),
    name: textAt(object, "name"),
    user: textAt(valueAt(event, "user"), "username"),
    userAgent: textAt(event, "userAgent"),
    code: Number(valueAt(valueAt(event, "responseStatus"), "code") ?? 0),
    uri: textAt(event, "requestURI"),
  }];
}

function valueAt(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([name]) => name === key)?.[1];
}

function textAt(value: unknown, key: string): string {
  const text = valueAt(value, key);
  return typeof text === "string" ? text : "";
}
