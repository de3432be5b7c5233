/**
 * What an operator asked of the API server, out of the audit log: by window and by its user agent, so that operators of other tests do not count.
 *
 * The log lags behind the answers by some milliseconds. A marker request of our own, waited for in the log, makes a point before which all is written.
 */
import { type AuditEvent, auditOffset, readAudit } from "../../tools/control_plane/audit.ts";
import { uniqueName } from "./control_plane.ts";
import { type Cluster, until } from "./harness.ts";

/** No write for this time: still, in milliseconds. */
const STILL_MS = 500;

/** A point in the audit log: everything that was answered before it is written before it. */
export async function auditMark(cluster: Cluster): Promise<number> {
  const path = logOf(cluster);
  const from = await auditOffset(path);
  const name = uniqueName("marker");
  await cluster.get({ group: "", version: "v1", kind: "ConfigMap", namespace: "default", name });
  await until(
    "the audit log is in step",
    async () => (await readAudit(path, { from })).some((event) => event.name === name) || undefined,
  );
  return await auditOffset(path);
}

/** Requests of one operator about objects since a mark; discovery and health are no objects. */
export async function requestsSince(
  cluster: Cluster,
  from: number,
  { userAgent }: { readonly userAgent: string },
): Promise<readonly AuditEvent[]> {
  await auditMark(cluster);
  const events = await readAudit(logOf(cluster), { from, userAgent });
  return events.filter((event) => event.resource !== "");
}

/** Waits until an operator has sent no write for half a second: what it does in the background (Events) is out then, too. */
export async function untilStill(
  cluster: Cluster,
  from: number,
  operator: { readonly userAgent: string },
): Promise<void> {
  let seen = -1;
  let since = performance.now();
  await until("the operator is still", async () => {
    const { length } = writesOf(await requestsSince(cluster, from, operator));
    if (length !== seen) since = performance.now();
    seen = length;
    return performance.now() - since > STILL_MS || undefined;
  });
}

/** `verb resource/name` of each write, in order. */
export function writesOf(events: readonly AuditEvent[]): readonly string[] {
  return events.filter(({ verb }) => !["get", "list", "watch"].includes(verb)).map(lineOf);
}

/** `verb resource/name` of each read that is neither a list nor a watch. */
export function getsOf(events: readonly AuditEvent[]): readonly string[] {
  return events.filter(({ verb }) => verb === "get").map(lineOf);
}

function lineOf({ verb, resource, name }: AuditEvent): string {
  return `${verb} ${resource}/${name}`;
}

function logOf({ auditLogPath }: Cluster): string {
  if (auditLogPath === undefined) throw new Error("This control plane writes no audit log");
  return auditLogPath;
}
