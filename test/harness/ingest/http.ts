import { type ClientRequest, request as httpRequest } from 'node:http';
import pino from 'pino';
import { Registry } from 'prom-client';
import { afterEach } from 'vitest';
import type { IngestKeyOwner } from '../../../services/ingest/admission/authenticate.js';
import { type IngestService, startIngest } from '../../../services/ingest/ingest-service.js';
import { createOutcomes, type Outcomes } from '../../../services/ingest/outcomes/collect-outcomes.js';
import type { EventLog } from '../../../shared/event-log/event-log.js';
import { decodeRawBlock } from '../../../shared/requests/columns/raw-block-codec.js';
import { createUsageCounter, type UsageCounter } from '../../../shared/usage/usage-counter.js';
import { createMemoryEventLog, type MemoryEventLog } from '../memory-event-log.js';

/** The service on a free port over a log in memory, with requests for its tests. */

export const KEY = 'll_right';
/** The key of another organisation's website. */
export const OTHER_KEY = 'll_other';
export const NOW = Date.parse('2026-03-01T00:00:00Z');

const plan = { retentionDays: 30, rowsPerHour: 10_000_000, bytesPerHour: 1024 ** 3 };
const owners = new Map<string, IngestKeyOwner>([
  [KEY, { websiteId: 'w1', organisationId: 'o1', keyId: 'k1', plan }],
  [OTHER_KEY, { websiteId: 'w2', organisationId: 'o2', keyId: 'k2', plan }],
]);

export interface Setup {
  readonly url: string;
  readonly service: IngestService;
  readonly memory: MemoryEventLog;
  readonly logged: string[];
  readonly registry: Registry;
  readonly outcomes: Outcomes;
}

const services: IngestService[] = [];
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.stop()));
});

export async function start(
  options: {
    config?: Partial<Parameters<typeof startIngest>[0]['config']>;
    notReady?: () => string | null;
    wrap?: (log: EventLog) => EventLog;
    usage?: UsageCounter;
    now?: () => number;
    plan?: Partial<IngestKeyOwner['plan']>;
  } = {},
): Promise<Setup> {
  const memory = createMemoryEventLog(4);
  const logged: string[] = [];
  const registry = new Registry();
  let uploads = 0;
  let requests = 0;
  const outcomes = createOutcomes({ replicaId: 'ingest-1', now: options.now ?? (() => NOW) });
  const usage = options.usage ?? createUsageCounter('ingest-1');
  const service = await startIngest({
    log: options.wrap?.(memory) ?? memory,
    findKeyOwner(key) {
      const owner = owners.get(key);
      return owner === undefined ? null : { ...owner, plan: { ...owner.plan, ...options.plan } };
    },
    notReady: options.notReady ?? (() => null),
    config: {
      HOST: '127.0.0.1',
      INGEST_PORT: 0,
      SHUTDOWN_TIMEOUT_MS: 2_000,
      INGEST_MAX_BODY_BYTES: 1_000_000,
      INGEST_MAX_INFLATED_BYTES: 2_000_000,
      INGEST_MAX_LINE_BYTES: 10_000,
      INGEST_MAX_IN_FLIGHT: 4,
      INGEST_MAX_IN_FLIGHT_PER_WEBSITE: 2,
      INGEST_MAX_BYTES_PER_SECOND_PER_WEBSITE: 64 * 1024 ** 2,
      INGEST_MIN_BYTES_PER_SECOND: 1_024,
      INGEST_SLOW_GRACE_MS: 30_000,
      INGEST_MAX_CONNECTIONS: 1_000,
      INGEST_PROXY_HOPS: 0,
      ...options.config,
    },
    now: options.now ?? (() => NOW),
    usage,
    outcomes,
    newRequestId: () => `request-${++requests}`,
    newUploadId: () => `upload-${++uploads}`,
    logger: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
    metrics: registry,
  });
  services.push(service);
  return { url: `http://127.0.0.1:${service.port}/v1/logs`, service, memory, logged, registry, outcomes };
}

export const record = (path: string, timestamp = '2026-02-14T08:15:30Z') =>
  JSON.stringify({
    timestamp,
    client_ip: '198.51.100.7',
    method: 'GET',
    path,
    status: 200,
  });
export const records = (count: number) =>
  Array.from({ length: count }, (_, index) => record(`/${index}`)).join('\n');

export async function post(
  url: string,
  body: string | Buffer,
  headers: Record<string, string> = { 'x-api-key': KEY },
): Promise<{ status: number; json: Record<string, unknown>; headers: Headers }> {
  const answer = await fetch(url, { method: 'POST', body: new Uint8Array(Buffer.from(body)), headers });
  return {
    status: answer.status,
    json: (await answer.json()) as Record<string, unknown>,
    headers: answer.headers,
  };
}

export const withKey = (headers: Record<string, string>) => ({ 'x-api-key': KEY, ...headers });
export const blocksOf = (memory: MemoryEventLog) =>
  memory.records('requests.raw').map(({ value }) => decodeRawBlock(value));
export const targetsOf = (memory: MemoryEventLog) =>
  blocksOf(memory).flatMap(({ requests }) => requests.map(({ target }) => target));

/** An upload that continues until the test ends it. A reset of its connection is ignored. */
export function openUpload({ service }: Pick<Setup, 'service'>, key = KEY): ClientRequest {
  const request = httpRequest({
    port: service.port,
    path: '/v1/logs',
    method: 'POST',
    host: '127.0.0.1',
    headers: { 'x-api-key': key },
    agent: false,
  });
  request.on('error', () => {});
  return request;
}
