import assert from "node:assert/strict";
import { type Script, ScriptedServer } from "../testing/scripted_server.ts";
import type { ClusterAccess } from "./access.ts";
import { ApiError, ForbiddenError, GoneError, TooManyRequestsError } from "./errors.ts";
import { type ApiRequest, Transport, type TransportOptions } from "./transport.ts";

const REQUEST: ApiRequest = {
  attempt: { verb: "Get", subject: "ConfigMap shop/a", secret: false },
  method: "GET",
  path: "/api/v1/namespaces/shop/configmaps/a",
  accept: "application/json",
};

interface Bench extends AsyncDisposable {
  readonly transport: Transport;
  readonly server: ScriptedServer;
}

function bench(
  script: Script,
  options: TransportOptions & { readonly access?: Partial<ClusterAccess> } = {},
): Bench {
  const server = new ScriptedServer(script);
  const transport = new Transport({ ...accessTo(server.url), ...options.access }, options);
  return {
    server,
    transport,
    async [Symbol.asyncDispose]() {
      transport.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

function accessTo(server: string): ClusterAccess {
  return {
    server,
    caCerts: [],
    namespace: "default",
    credentials: () => Promise.resolve({ headers: { Authorization: "Bearer secret-token" } }),
    forget: () => {},
  };
}

Deno.test("a request bears credentials, agent, query and body", async () => {
  await using b = bench(() => ({ body: { ok: true } }), { userAgent: "generic-operator/1.2.3" });
  const text = await b.transport.request({
    ...REQUEST,
    method: "PATCH",
    query: { fieldManager: "a b", dryRun: undefined },
    body: { type: "application/apply-patch+yaml", text: "{}" },
  });
  assert.equal(text, '{"ok":true}');
  const [request] = b.server.requests;
  assert.equal(request?.path, "/api/v1/namespaces/shop/configmaps/a?fieldManager=a+b");
  assert.deepEqual([request?.method, request?.body], ["PATCH", "{}"]);
  const { headers = new Headers() } = request ?? {};
  assert.equal(headers.get("user-agent"), "generic-operator/1.2.3");
  assert.equal(headers.get("authorization"), "Bearer secret-token");
  assert.equal(headers.get("content-type"), "application/apply-patch+yaml");
});

Deno.test("a refusal is an error by its status, with the pause that the server asks for", async () => {
  await using b = bench(() => ({
    status: 429,
    headers: { "retry-after": "2" },
    body: { kind: "Status", code: 429 },
  }));
  await assert.rejects(b.transport.request(REQUEST), (error) => {
    assert.ok(error instanceof TooManyRequestsError);
    assert.equal(error.retryAfterMs, 2000);
    return true;
  });
});

Deno.test("after a 401 the credentials are asked anew", async () => {
  let forgotten = 0;
  await using b = bench(() => ({ status: 401 }), { access: { forget: () => void forgotten++ } });
  await assert.rejects(b.transport.request(REQUEST), ForbiddenError);
  assert.equal(forgotten, 1);
});

Deno.test("a redirect is not followed", async () => {
  await using b = bench(() => ({ status: 302, headers: { location: "/elsewhere" } }));
  await assert.rejects(
    b.transport.request(REQUEST),
    (error) => error instanceof ApiError && error.code === 302,
  );
  assert.equal(b.server.requests.length, 1);
});

Deno.test("a server that does not answer is given up after the deadline, and asked over a new connection", async () => {
  let frozen = true;
  await using b = bench(() => frozen ? "freeze" : { body: "thawed" }, { deadlineMs: 50 });
  await assert.rejects(b.transport.request(REQUEST), (error) => {
    assert.ok(error instanceof ApiError && error.code === 0 && error.reason === "Timeout");
    assert.equal(
      error.message,
      `Get of ConfigMap shop/a failed: no answer from ${b.server.url} within 0.05 s`,
    );
    return true;
  });
  frozen = false;
  assert.equal(await b.transport.request(REQUEST), "thawed");
});

Deno.test("a server that is not there, and an answer that breaks off", async () => {
  const transport = new Transport(accessTo(await closedPort()));
  await assert.rejects(transport.request(REQUEST), (error) => {
    assert.ok(error instanceof ApiError && error.code === 0);
    assert.match(
      error.message,
      /^Get of ConfigMap shop\/a failed: no answer from http:\S+: .*Connection refused/,
    );
    assert.doesNotMatch(error.message, /error sending|client error/);
    return true;
  });
  transport.close();
  await using b = bench(() => ({ body: "half of it", cut: true }));
  await assert.rejects(
    b.transport.request(REQUEST),
    (error) => error instanceof ApiError && error.code === 0,
  );
});

Deno.test("no more than the bound are in flight, the rest wait their turn", async () => {
  let inside = 0;
  let most = 0;
  await using b = bench(async () => {
    most = Math.max(most, ++inside);
    await new Promise((resolve) => setTimeout(resolve, 5));
    inside--;
    return { body: "ok" };
  }, { maxInFlight: 3 });
  await Promise.all(Array.from({ length: 12 }, () => b.transport.request(REQUEST)));
  assert.equal(most, 3);
});

Deno.test("who asked can give up", async () => {
  await using b = bench(() => "freeze");
  const abort = new AbortController();
  const answer = b.transport.request({ ...REQUEST, signal: abort.signal });
  abort.abort(new Error("Not needed any more"));
  await assert.rejects(answer, /Not needed any more/);
});

Deno.test("a stream gives what comes, and its refusal or break is an error", async () => {
  await using b = bench(({ path }) => {
    if (path.endsWith("/gone")) {
      return { status: 410, body: { kind: "Status", code: 410, message: "too old" } };
    }
    return { chunks: ["one", "two"], cut: path.endsWith("/cut") };
  });
  const read = async (path: string) => {
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of b.transport.stream({ ...REQUEST, path })) text += decoder.decode(chunk);
    return text;
  };
  assert.equal(await read("/whole"), "onetwo");
  await assert.rejects(read("/gone"), GoneError);
  await assert.rejects(read("/cut"), (error) => error instanceof ApiError && error.code === 0);
});

Deno.test("a stream that nobody reads on is closed, and one that is silent can be aborted", async () => {
  await using b = bench(({ path }) => path === "/frozen" ? "freeze" : { chunks: ["one", "two", "three"] });
  for await (const chunk of b.transport.stream(REQUEST)) {
    assert.ok(chunk.length > 0);
    break;
  }
  const abort = new AbortController();
  const first = b.transport.stream({ ...REQUEST, path: "/frozen", signal: abort.signal }).next();
  abort.abort(new Error("Stop"));
  await assert.rejects(first, /Stop/);
});

function closedPort(): Promise<string> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return Promise.resolve(`http://127.0.0.1:${port}`);
}
