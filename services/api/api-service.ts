import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { createBoundedServer } from '../../shared/bounded-server/bounded-server.js';
import { drainServer } from '../../shared/service/drain-server.js';
import { STOPPING } from '../../shared/service/readiness.js';
import { type ApiOptions, createApi } from './app.js';

export interface ApiServiceOptions extends ApiOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly mostConnections: number;
  /** Maximum time for running requests when the service stops. */
  readonly shutdownTimeoutMs: number;
}

export interface ApiService {
  readonly host: string;
  readonly port: number;
  readonly hasConsole: boolean;
  /** Takes no new request, lets those under way end, and resolves when the last connection is gone. */
  stop(): Promise<void>;
}

/** The URL of a call may contain a recommendation's key, and the key a website's path of 2,048 characters. A percent-encoded character has at most 12 bytes. */
const MAX_HEADER_BYTES = 64 * 1024;

/** Bodies are small. Node answers a slower one with 408 and closes the connection. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Time for a client that is still sending to read its answer. */
const LINGER_MS = 250;

/**
 * Closing a socket with unread bytes resets it, and the client may lose the answer. So the writing side is closed first, and the
 * socket a little later.
 */
function lingerOnClose(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

/** @throws Error if the address can not be listened on. */
export async function startApi(options: ApiServiceOptions): Promise<ApiService> {
  const { host, logger, shutdownTimeoutMs } = options;
  let stopping = false;
  const api = createApi({ ...options, notReady: async () => (stopping ? STOPPING : options.notReady()) });
  const server = createBoundedServer(
    // The automatic cleanup would read the rest of a refused call's body.
    getRequestListener(api.fetch, { autoCleanupIncoming: false }),
    { mostConnections: options.mostConnections, now: options.now },
    { maxHeaderSize: MAX_HEADER_BYTES, requestTimeout: REQUEST_TIMEOUT_MS },
  );
  server.on('connection', lingerOnClose);
  server.listen(options.port, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  logger.info({ host, port }, 'api listening');
  return {
    host,
    port,
    hasConsole: options.console !== null,
    stop() {
      // Readiness fails first, so that a load balancer sends no new requests while connections drain.
      stopping = true;
      return drainServer(server, shutdownTimeoutMs, () =>
        logger.warn({ timeout_ms: shutdownTimeoutMs }, 'api stopped with running requests'),
      );
    },
  };
}
