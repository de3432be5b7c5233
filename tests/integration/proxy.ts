/**
 * A TCP proxy on loopback in front of a test's API server, for what networks do: connections that break off, and ones that are dead
 * without an end. It copies bytes and knows nothing of TLS, which goes through it untouched.
 */

/** A proxy that can do what bad networks do. */
export interface Proxy extends AsyncDisposable {
  /** A kubeconfig that goes through it. */
  readonly kubeconfigPath: string;
  /** Breaks all connections off, and lets no new one through until `mend`. */
  cut(): void;
  mend(): void;
  /** Nothing more passes on the connections of now; new ones work. */
  freeze(): void;
}

/** A TCP proxy on loopback in front of the API server of a kubeconfig. */
export async function startProxy(kubeconfigPath: string): Promise<Proxy> {
  const kubeconfig = await Deno.readTextFile(kubeconfigPath);
  const port = Number(/server: https:\/\/[^:]+:(\d+)/.exec(kubeconfig)?.[1]);
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const path = await Deno.makeTempFile({ suffix: ".kubeconfig" });
  await Deno.writeTextFile(path, kubeconfig.replace(`:${port}`, `:${listener.addr.port}`));
  const open = new Set<Connection>();
  let isCut = false;
  const accepting = accept();
  async function accept(): Promise<void> {
    for await (const near of listener) {
      if (isCut) near.close();
      else open.add(new Connection(near, await Deno.connect({ hostname: "127.0.0.1", port })));
    }
  }
  const closeAll = () => {
    for (const connection of open) connection.close();
    open.clear();
  };
  return {
    kubeconfigPath: path,
    cut: () => {
      isCut = true;
      closeAll();
    },
    mend: () => isCut = false,
    freeze: () => {
      for (const connection of open) connection.isFrozen = true;
    },
    [Symbol.asyncDispose]: async () => {
      listener.close();
      await accepting;
      const ended = [...open].map((connection) => connection.ended);
      closeAll();
      await Promise.all(ended);
      await Deno.remove(path);
    },
  };
}

/** Two sockets that copy to one another, until one of them ends. */
class Connection {
  readonly ended: Promise<unknown>;
  isFrozen = false;
  readonly #sockets: readonly [Deno.Conn, Deno.Conn];
  #isClosed = false;

  constructor(near: Deno.Conn, far: Deno.Conn) {
    this.#sockets = [near, far];
    this.ended = Promise.allSettled([this.#copy(near, far), this.#copy(far, near)]);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const socket of this.#sockets) socket.close();
  }

  async #copy(from: Deno.Conn, to: Deno.Conn): Promise<void> {
    const buffer = new Uint8Array(65_536);
    try {
      for (let size = await from.read(buffer); size !== null; size = await from.read(buffer)) {
        for (let sent = 0; sent < size && !this.isFrozen;) {
          sent += await to.write(buffer.subarray(sent, size));
        }
      }
    } finally {
      this.close();
    }
  }
}
