import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createBoundedServer } from '../../shared/bounded-server/bounded-server.js';
import type { Config } from '../../shared/config.js';
import { drainServer } from '../../shared/service/drain-server.js';
import { drainTimeMs } from '../../shared/service/drain-time.js';
import { STOPPING } from '../../shared/service/readiness.js';
import { createIngest, type IngestDependencies } from './http/http.js';

export interface IngestServiceDependencies extends Omit<IngestDependencies, 'config'> {
  readonly config: IngestDependencies['config'] &
    Pick<Config, 'HOST' | 'INGEST_PORT' | 'SHUTDOWN_TIMEOUT_MS' | 'INGEST_MAX_CONNECTIONS'>;
}

export interface IngestService {
  /** The port in use; differs from INGEST_PORT if that is 0. */
  readonly port: number;
  /** Takes no new upload, waits for those in flight (at most three quarters of SHUTDOWN_TIMEOUT_MS), then closes. */
  stop(): Promise<void>;
}

/** Listens on HOST:INGEST_PORT. Rejects if the port is not available. */
export async function startIngest(dependencies: IngestServiceDependencies): Promise<IngestService> {
  const { config } = dependencies;
  let stopping = false;
  const ingest = createIngest({
    ...dependencies,
    notReady: () => (stopping ? STOPPING : dependencies.notReady()),
  });
  const server = createBoundedServer(
    ingest.listener,
    {
      mostConnections: config.INGEST_MAX_CONNECTIONS,
      now: dependencies.now,
      // Senders of large bodies send Expect first: the key is checked before the body.
      answersExpect: true,
    },
    // Node's limit for a whole request would end a large upload without an answer. The least rate bounds its body
    // (body/least-rate.ts).
    { requestTimeout: 0 },
  );
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
