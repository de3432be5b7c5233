/** Audit log in, counts out: each request once, watches when they start, by offset and filter. */
import assert from "node:assert/strict";
import { auditOffset, countRequests, readAudit } from "./audit.ts";

interface Line {
  readonly verb: string;
  readonly stage: string;
  readonly resource?: string;
  readonly userAgent?: string;
  readonly user?: string;
  readonly subresource?: string;
}

function line(
  { verb, stage, resource = "configmaps", userAgent = "test/1", user = "ann", subresource }: Line,
): string {
  const objectRef = { resource, namespace: "ns", name: "n", apiVersion: "v1", apiGroup: "apps", subresource };
  const event = { kind: "Event", stage, verb, user: { username: user }, userAgent, objectRef };
  return `${JSON.stringify({ ...event, requestURI: "/x?dryRun=All", responseStatus: { code: 201 } })}\n`;
}

async function withLog(text: string, test: (path: string) => Promise<void>): Promise<void> {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(path, text);
    await test(path);
  } finally {
    await Deno.remove(path);
  }
}

Deno.test("an event holds who asked for what", async () => {
  await withLog(line({ verb: "patch", stage: "ResponseComplete", subresource: "status" }), async (path) => {
    assert.deepEqual(await readAudit(path), [{
      verb: "patch",
      resource: "configmaps.apps/status",
      namespace: "ns",
      name: "n",
      user: "ann",
      userAgent: "test/1",
      code: 201,
      uri: "/x?dryRun=All",
    }]);
  });
});

Deno.test("a watch counts when it starts, anything else when it is complete", async () => {
  const text = line({ verb: "watch", stage: "ResponseStarted" }) +
    line({ verb: "watch", stage: "ResponseComplete" }) +
    line({ verb: "get", stage: "ResponseStarted" }) + line({ verb: "get", stage: "ResponseComplete" });
  await withLog(text, async (path) => {
    assert.deepEqual((await readAudit(path)).map((event) => event.verb), ["watch", "get"]);
  });
});

Deno.test("reading goes on at an offset and leaves out a line that is not whole yet", async () => {
  await withLog(line({ verb: "create", stage: "ResponseComplete" }), async (path) => {
    const from = await auditOffset(path);
    assert.deepEqual(await readAudit(path, { from }), []);
    const next = line({ verb: "delete", stage: "ResponseComplete" });
    await Deno.writeTextFile(path, next + next.slice(0, 20), { append: true });
    assert.deepEqual((await readAudit(path, { from })).map((event) => event.verb), ["delete"]);
  });
});

Deno.test("filters by user, user agent and verb", async () => {
  const stage = "ResponseComplete";
  const text = line({ verb: "get", stage, user: "bob" }) +
    line({ verb: "get", stage, userAgent: "other/2" }) +
    line({ verb: "list", stage });
  await withLog(text, async (path) => {
    assert.equal((await readAudit(path, { user: "bob" })).length, 1);
    assert.equal((await readAudit(path, { userAgent: "other" })).length, 1);
    assert.equal((await readAudit(path, { verb: "list", user: "ann", userAgent: "test" })).length, 1);
    assert.equal((await readAudit(path, { verb: "list", user: "bob" })).length, 0);
  });
});

Deno.test("counts writes and reads, and each verb by resource", async () => {
  const stage = "ResponseComplete";
  const verbs = [
    "create",
    "update",
    "patch",
    "patch",
    "delete",
    "deletecollection",
    "get",
    "list",
    "options",
  ];
  const text = verbs.map((verb) => line({ verb, stage, resource: "deployments" })).join("") +
    line({ verb: "watch", stage: "ResponseStarted", resource: "pods" });
  await withLog(text, async (path) => {
    const counts = countRequests(await readAudit(path));
    assert.equal(counts.writes, 6);
    assert.equal(counts.reads, 3);
    assert.equal(counts.byResource["deployments.apps"]?.["patch"], 2);
    assert.deepEqual(counts.byResource["pods.apps"], { watch: 1 });
  });
});
