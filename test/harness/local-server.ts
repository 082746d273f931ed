import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface LocalServer {
  readonly port: number;
  /** Number of connections to it. */
  readonly connections: () => number;
}

/** A server on 127.0.0.1 that ends with the test. */
export async function startLocalServer(listener: RequestListener): Promise<LocalServer> {
  let connections = 0;
  const server = createServer(listener);
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}
