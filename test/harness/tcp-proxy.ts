import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy in front of a server, with which tests make it unavailable or slow without changing it. */
export interface TcpProxy {
  readonly port: number;
  /** Forwards everything at once. */
  pass(): void;
  /** Closes new connections at once, and the existing ones now. */
  refuse(): void;
  /** Delays all data in both directions by this many milliseconds. */
  slow(delayMs: number): void;
  stop(): Promise<void>;
}

export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  let refusing = false;
  let delayMs = 0;
  const open = new Set<Socket>();

  const server = createServer((client) => {
    if (refusing) {
      client.destroy();
      return;
    }
    const upstream = connect(target);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from);
      from.on('data', (data) => {
        if (delayMs === 0) to.write(data);
        else setTimeout(() => to.writable && to.write(data), delayMs);
      });
      // Delayed data is sent first.
      from.on('end', () => setTimeout(() => to.end(), delayMs));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        open.delete(from);
        setTimeout(() => to.destroy(), delayMs);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    port: (server.address() as { port: number }).port,
    pass() {
      refusing = false;
      delayMs = 0;
    },
    refuse() {
      refusing = true;
      for (const socket of open) socket.destroy();
    },
    slow(milliseconds) {
      refusing = false;
      delayMs = milliseconds;
    },
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
