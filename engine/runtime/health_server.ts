/**
 * The small HTTP server that probes and collectors ask: /livez (the process answers), /readyz (caches in step, workers run), /metrics.
 */
import type { PrometheusMetrics } from "../observe/mod.ts";

/** What the server tells. */
export interface HealthServerOptions {
  /** 0 lets the system choose. */
  readonly port: number;
  readonly isReady: () => boolean;
  readonly metrics: PrometheusMetrics;
  readonly onListen?: (port: number) => void;
  readonly signal: AbortSignal;
}

/** Serves until the signal; resolves when the last answer is out. */
export async function serveHealth(options: HealthServerOptions): Promise<void> {
  const { port, signal, onListen } = options;
  const server = Deno.serve(
    { port, signal, onListen: (address) => onListen?.(address.port) },
    (request) => answer(request, options),
  );
  await server.finished;
}

function answer(request: Request, { isReady, metrics }: HealthServerOptions): Response {
  switch (new URL(request.url).pathname) {
    case "/livez":
      return new Response("ok\n");
    case "/readyz":
      return isReady()
        ? new Response("ok\n")
        : new Response("not ready: caches are not in step yet\n", { status: 503 });
    case "/metrics":
      return new Response(metrics.text(), { headers: { "content-type": "text/plain; version=0.0.4" } });
    default:
      return new Response("not found\n", { status: 404 });
  }
}
