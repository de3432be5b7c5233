import assert from "node:assert/strict";
import { type Script, ScriptedServer } from "../testing/scripted_server.ts";
import { CONFIG_MAPS, CUSTOM_RESOURCE_DEFINITIONS } from "./builtin.ts";
import { AlreadyExistsError, ApiError, ConflictError, GoneError } from "./errors.ts";
import { HttpKubeClient } from "./http_client.ts";
import { Transport } from "./transport.ts";

const REF = { group: "", version: "v1", kind: "ConfigMap", namespace: "shop", name: "a" };
const STORED = { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "a", namespace: "shop", uid: "u" } };
const PARTIAL = { ...STORED, kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1" };
const OURS = { fieldManager: "engine" };
const METADATA = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json";

interface Bench extends AsyncDisposable {
  readonly client: HttpKubeClient;
  readonly server: ScriptedServer;
}

function bench(script: Script): Bench {
  const server = new ScriptedServer(script);
  const transport = new Transport({
    server: server.url,
    caCerts: [],
    namespace: "default",
    credentials: () => Promise.resolve({ headers: {} }),
    forget: () => {},
  });
  return {
    server,
    client: new HttpKubeClient(transport),
    async [Symbol.asyncDispose]() {
      transport.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** The last request as `METHOD path`, and its query. */
function sent(
  server: ScriptedServer,
): { readonly line: string; readonly query: Readonly<Record<string, string>> } {
  const { method = "", path = "" } = server.requests.at(-1) ?? {};
  const url = new URL(path, "http://server");
  return { line: `${method} ${url.pathname}`, query: Object.fromEntries(url.searchParams) };
}

Deno.test("apply is one strict server-side apply, answered with metadata under the object's own type", async () => {
  await using b = bench(() => ({ body: PARTIAL }));
  const object = { ...STORED, metadata: { name: "a", namespace: "shop" }, big: 9007199254740993n };
  assert.deepEqual(await b.client.apply(CONFIG_MAPS, object, { ...OURS, dryRun: true }), STORED);
  assert.deepEqual(sent(b.server), {
    line: "PATCH /api/v1/namespaces/shop/configmaps/a",
    query: { fieldManager: "engine", fieldValidation: "Strict", force: "true", dryRun: "All" },
  });
  const [request] = b.server.requests;
  assert.equal(request?.headers.get("content-type"), "application/apply-patch+yaml");
  assert.equal(request?.headers.get("accept"), METADATA);
  assert.ok(request?.body.includes('"big":9007199254740993'));
  await b.client.apply(CUSTOM_RESOURCE_DEFINITIONS, { ...object, metadata: { name: "a.b" } }, {
    ...OURS,
    force: false,
    subresource: "status",
  });
  const { line, query } = sent(b.server);
  assert.deepEqual(
    [line, query.force],
    ["PATCH /apis/apiextensions.k8s.io/v1/customresourcedefinitions/a.b/status", "false"],
  );
});

Deno.test("an apply that may only create tells an object that exists from other conflicts", async () => {
  const refusals = [
    { message: 'Operation cannot be fulfilled on configmaps "a": the object has been modified' },
    {
      message: "Apply failed with 1 conflict",
      details: { causes: [{ reason: "FieldManagerConflict", field: ".data" }] },
    },
    { message: 'Operation cannot be fulfilled on resourcequotas "q": the object has been modified' },
  ];
  await using b = bench(() => ({
    status: 409,
    body: { kind: "Status", reason: "Conflict", code: 409, ...refusals.shift() },
  }));
  const create = () => b.client.apply(CONFIG_MAPS, STORED, { ...OURS, onlyCreate: true });
  await assert.rejects(create(), AlreadyExistsError);
  assert.equal(JSON.parse(b.server.requests[0]?.body ?? "").metadata.resourceVersion, "1");
  await assert.rejects(create(), AlreadyExistsError);
  await assert.rejects(create(), ConflictError);
});

Deno.test("a UID that is another's is a conflict", async () => {
  const causes = [{ field: "metadata.uid", reason: "FieldValueInvalid", message: "field is immutable" }];
  await using b = bench(() => ({ status: 422, body: { kind: "Status", code: 422, details: { causes } } }));
  await assert.rejects(b.client.apply(CONFIG_MAPS, STORED, OURS), ConflictError);
});

Deno.test("create, replace and patch give the stored object with its text", async () => {
  await using b = bench(() => ({ body: JSON.stringify(STORED) }));
  const expected = { object: STORED, text: JSON.stringify(STORED) };
  const query = { fieldManager: "engine", fieldValidation: "Strict" };
  assert.deepEqual(await b.client.create(CONFIG_MAPS, STORED, OURS), expected);
  assert.deepEqual(sent(b.server), { line: "POST /api/v1/namespaces/shop/configmaps", query });
  assert.deepEqual(await b.client.replace(CONFIG_MAPS, STORED, OURS), expected);
  assert.deepEqual(sent(b.server), { line: "PUT /api/v1/namespaces/shop/configmaps/a", query });
  assert.deepEqual(
    await b.client.patch(CONFIG_MAPS, REF, { data: null }, { ...OURS, subresource: "scale" }),
    expected,
  );
  assert.deepEqual(sent(b.server), { line: "PATCH /api/v1/namespaces/shop/configmaps/a/scale", query });
  assert.equal(b.server.requests.at(-1)?.headers.get("content-type"), "application/merge-patch+json");
});

Deno.test("delete says whether the object is gone", async () => {
  const answers = [
    { kind: "Status", status: "Success" },
    PARTIAL,
    { ...PARTIAL, metadata: { ...PARTIAL.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } },
  ];
  await using b = bench(() => ({ body: answers.shift() }));
  const remove = () => b.client.delete(CONFIG_MAPS, REF, { uid: "u", propagation: "Background" });
  assert.deepEqual([await remove(), await remove(), await remove()], ["gone", "gone", "deleting"]);
  const { preconditions, propagationPolicy } = JSON.parse(b.server.requests[0]?.body ?? "");
  assert.deepEqual([preconditions, propagationPolicy], [{ uid: "u" }, "Background"]);
});

Deno.test("a page gives each item under its type, with the text as it stands", async () => {
  const items =
    '[{"metadata":{"name":"a"},"data":{"10":"x","9":"y"}},{"metadata":{"name":"b"},"n":9007199254740993}]';
  await using b = bench(() => ({
    body:
      `{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"7","continue":"next"},"items":${items}}`,
  }));
  const page = await b.client.list(CONFIG_MAPS, {
    limit: 2,
    labelSelector: "a in (b,c)",
    resourceVersion: "0",
  });
  assert.deepEqual([page.resourceVersion, page.continueToken], ["7", "next"]);
  assert.deepEqual(page.items.map(({ text }) => text), [
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"10":"x","9":"y"}}',
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b"},"n":9007199254740993}',
  ]);
  assert.equal(page.items[1]?.object.n, 9007199254740993n);
  assert.deepEqual(sent(b.server), {
    line: "GET /api/v1/configmaps",
    query: { limit: "2", labelSelector: "a in (b,c)", resourceVersion: "0" },
  });
});

Deno.test("an answer that is no object is an error that shows nothing of it", async () => {
  await using b = bench(() => ({ body: { hello: "world" } }));
  const isPlain = (error: unknown) => error instanceof ApiError && !error.message.includes("world");
  await assert.rejects(b.client.get(CONFIG_MAPS, REF), isPlain);
  await assert.rejects(b.client.list(CONFIG_MAPS), isPlain);
});

Deno.test("a watch asks for bookmarks, ends quietly when aborted, and throws what the stream says", async () => {
  const line = JSON.stringify({ type: "ADDED", object: PARTIAL });
  const gone = JSON.stringify({ type: "ERROR", object: { kind: "Status", code: 410, message: "too old" } });
  await using b = bench(({ path }) =>
    path.includes("resourceVersion=1") ? { body: `${gone}\n` } : { body: `${line}\n` }
  );
  const abort = new AbortController();
  const { signal } = abort;
  const options = {
    namespace: "shop",
    sendInitialEvents: true,
    timeoutSeconds: 300,
    metadataOnly: true,
    signal,
  };
  const events = await Array.fromAsync(b.client.watch(CONFIG_MAPS, options));
  assert.deepEqual(events, [{ type: "ADDED", object: STORED, text: "" }]);
  assert.deepEqual(sent(b.server).query, {
    watch: "true",
    allowWatchBookmarks: "true",
    sendInitialEvents: "true",
    resourceVersionMatch: "NotOlderThan",
    timeoutSeconds: "300",
  });
  assert.equal(b.server.requests[0]?.headers.get("accept"), METADATA);
  await assert.rejects(
    Array.fromAsync(b.client.watch(CONFIG_MAPS, { resourceVersion: "1", signal })),
    GoneError,
  );
  abort.abort();
  assert.deepEqual(await Array.fromAsync(b.client.watch(CONFIG_MAPS, { signal })), []);
});
