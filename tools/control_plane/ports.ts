/**
 * Free ports on loopback, below the range from which Linux and macOS take the ports of outgoing connections. A port out
 * of that range could be lost while the API server is stopped for a moment: a client that tries to connect again and
 * again gets it as its own port sooner or later, and then holds it.
 */

const LOWEST = 16_384;
const HIGHEST = 32_767;

/** The first of `count` ports in a row on 127.0.0.1 on which nothing listens now. */
export function freePorts(count: number): number {
  for (;;) {
    const first = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST - count));
    if (Array.from({ length: count }, (_, index) => first + index).every(isFree)) return first;
  }
}

function isFree(port: number): boolean {
  try {
    Deno.listen({ hostname: "127.0.0.1", port }).close();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) return false;
    throw error;
  }
}
