import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../../shared/config.js';
import { drainServer } from '../../shared/service/drain-server.js';
import { drainTimeMs } from '../../shared/service/drain-time.js';
import { boundConnections } from './http/bound-connections.js';
import { createIngest, type IngestDependencies } from './http/http.js';

export interface IngestServiceDependencies extends Omit<IngestDependencies, 'config'> {
  readonly config: IngestDependencies['config'] &
    Pick<Config, 'HOST' | 'INGEST_PORT' | 'SHUTDOWN_TIMEOUT_MS' | 'INGEST_MAX_CONNECTIONS'>;
}

export interface IngestService {
  /** The port in use; differs from INGEST_PORT where that is 0. */
  readonly port: number;
  /** Takes no new upload, waits for those in flight (at most three quarters of SHUTDOWN_TIMEOUT_MS), then closes. */
  stop(): Promise<void>;
}

/** Longer than load balancers keep idle connections (60 s), so that they never write into one that we just closed. */
const KEEP_ALIVE_MS = 75_000;
/** From a connection's beginning, or a request's first byte, to the end of its headers. */
const HEADERS_MS = 15_000;

/** Listens on HOST:INGEST_PORT. Rejects where the port can't be had. */
export async function startIngest(dependencies: IngestServiceDependencies): Promise<IngestService> {
  const { config } = dependencies;
  let stopping = false;
  const ingest = createIngest({ ...dependencies, ready: () => !stopping && dependencies.ready() });
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_MS,
      connectionsCheckingInterval: HEADERS_MS / 3,
      // Node's own limit on a whole request would cut a large upload off with an answer that tells nothing. The least
      // rate bounds its body (body/least-rate.ts).
      requestTimeout: 0,
    },
    ingest.listener,
  );
  boundConnections(server, config.INGEST_MAX_CONNECTIONS);
  // Senders of large bodies ask first: the key is checked before they send any of it.
  server.on('checkContinue', ingest.listener);
  server.listen(config.INGEST_PORT, config.HOST);
  await once(server, 'listening');

  async function stop(): Promise<void> {
    if (stopping) return;
    stopping = true;
    await drainServer(server, drainTimeMs(config));
    ingest.stop();
  }

  return { port: (server.address() as AddressInfo).port, stop };
}
