import pino from 'pino';
import { Registry } from 'prom-client';
import { startIngest } from '../../services/ingest/ingest-service.js';
import { createOutcomes } from '../../services/ingest/outcomes/collect-outcomes.js';
import { loadConfig } from '../../shared/config.js';
import { decodeRawBlock } from '../../shared/requests/columns/raw-block-codec.js';
import type { RawRequest } from '../../shared/requests/raw-request.js';
import { createUsageCounter } from '../../shared/usage/usage-counter.js';
import { createMemoryEventLog } from '../harness/memory-event-log.js';

/** The ingest endpoint with a log in memory, from a shipper's view. */
export interface IngestWorld {
  /** `127.0.0.1:PORT` */
  readonly host: string;
  readonly key: string;
  /** Accepted requests, in any order. */
  requests(): RawRequest[];
  stop(): Promise<void>;
}

export async function startIngestWorld(): Promise<IngestWorld> {
  const memory = createMemoryEventLog(4);
  const key = 'll_shipper';
  const plan = { retentionDays: 30, rowsPerHour: 10_000_000, bytesPerHour: 1024 ** 3 };
  let ids = 0;
  const ingest = await startIngest({
    log: memory,
    findKeyOwner: (given) =>
      given === key ? { websiteId: 'w1', organisationId: 'o1', keyId: 'k1', plan } : null,
    notReady: () => null,
    config: { ...loadConfig({}), HOST: '127.0.0.1', INGEST_PORT: 0 },
    now: Date.now,
    usage: createUsageCounter('ingest-1'),
    outcomes: createOutcomes({ replicaId: 'ingest-1', now: Date.now }),
    newRequestId: () => `request-${++ids}`,
    newUploadId: () => `upload-${++ids}`,
    logger: pino({ level: 'silent' }),
    metrics: new Registry(),
  });
  return {
    host: `127.0.0.1:${ingest.port}`,
    key,
    requests: () =>
      memory.records('requests.raw').flatMap(({ value }) => decodeRawBlock(value).requests as RawRequest[]),
    stop: () => ingest.stop(),
  };
}
