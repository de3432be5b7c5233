/**
 * An HTTP server that answers as a test says: any status and body, a body cut off half-way, or no answer at all. For what a real API
 * server does only on a bad day.
 */

/** A request as it came. */
export interface ScriptedRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** What to answer. `freeze`: never. `cut`: the connection breaks after the body. */
export type ScriptedAnswer =
  | "freeze"
  | {
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
    /** A value becomes JSON; a list of texts is sent in as many pieces. */
    readonly body?: unknown;
    readonly chunks?: readonly string[];
    readonly cut?: boolean;
  };

/** How to answer. */
export type Script = (request: ScriptedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;

/** A running scripted server. Dispose it in the end. */
export class ScriptedServer implements AsyncDisposable {
  /** Every request so far. */
  readonly requests: ScriptedRequest[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #thaw = new AbortController();

  /** Listens on a free port of loopback. */
  constructor(script: Script) {
    this.#server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
      const url = new URL(request.url);
      const received = {
        method: request.method,
        path: `${url.pathname}${url.search}`,
        headers: request.headers,
        body: await request.text(),
      };
      this.requests.push(received);
      const answer = await script(received);
      return answer === "freeze" ? await this.#never() : respond(answer);
    });
  }

  /** `http://127.0.0.1:PORT`. */
  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#thaw.abort();
    await this.#server.shutdown();
  }

  #never(): Promise<Response> {
    return new Promise((resolve) => {
      this.#thaw.signal.addEventListener("abort", () => resolve(new Response(null, { status: 504 })), {
        once: true,
      });
    });
  }
}

function respond(
  { status = 200, headers = {}, body, chunks, cut = false }: Exclude<ScriptedAnswer, "freeze">,
): Response {
  const text = typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body);
  const pieces = (chunks ?? [text]).map((piece) => new TextEncoder().encode(piece));
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const piece = pieces.shift();
      if (piece !== undefined) controller.enqueue(piece);
      else if (cut) controller.error(new Error("Cut by the script"));
      else controller.close();
    },
  });
  return new Response(stream, { status, headers: { "content-type": "application/json", ...headers } });
}
