import { Resolver } from 'node:dns/promises';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { createSlowReads } from '../../services/api/answer-or-buffer.js';
import { apiControl } from '../../services/api/control.js';
import { startApi } from '../../services/api/service.js';
import { openEnrichment } from '../../services/enricher/open-enrichment.js';
import { startEnricher } from '../../services/enricher/service.js';
import { type IngestService, startIngest } from '../../services/ingest/service.js';
import { connectClickHouse } from '../../shared/clickhouse/client.js';
import { startEmbeddedClickHouse } from '../../shared/clickhouse/embedded/start-engine.js';
import { migrate } from '../../shared/clickhouse/migrate.js';
import type { Config } from '../../shared/config.js';
import { startAdminServer } from '../../shared/control/admin-server.js';
import { openControlPlane } from '../../shared/control/control-plane.js';
import { CREDENTIALS_FILE, ensureDemoOrganisation } from '../../shared/control/demo-organisation.js';
import { findIngestKey } from '../../shared/control/keys.js';
import { planOf } from '../../shared/control/plans.js';
import { openLmdbEventLog } from '../../shared/event-log/lmdb/lmdb-event-log.js';
import type { Logger } from '../../shared/log.js';
import { detectPlatform } from '../../shared/websites/detect-platform.js';
import { createAppendPace } from './pace-appends.js';

export interface StandaloneOptions {
  readonly config: Config;
  readonly logger: Logger;
  now(): number;
  randomBytes(count: number): Buffer;
  newId(): string;
  onCrash(error: Error): void;
}

export interface Standalone {
  /** What the person who started it wants to know. */
  readonly welcome: string;
  stop(): Promise<void>;
}

/** Rows of a website that the control plane does not know (any more) are kept this long. */
const RETENTION_DAYS_UNKNOWN = 30;
/** A range takes a second at most; after this much without one, the store counts as away. */
const STALLED_MS = 3_000;

/** Starts everything in the order in which one part needs the other. */
export async function startStandalone(options: StandaloneOptions): Promise<Standalone> {
  const { config, logger, now, onCrash } = options;
  const dataDir = resolve(config.DATA_DIR);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });

  // Each entry undoes one step; stop() runs them from the last to the first.
  const undo: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  };
  try {
    return { welcome: await start(), stop };
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }

  async function start(): Promise<string> {
    const log = await openLmdbEventLog({
      directory: join(dataDir, 'log'),
      partitions: config.EVENT_LOG_PARTITIONS,
      maxBytes: config.EVENT_LOG_MAX_BYTES,
      now,
      logger,
    });
    undo.push(() => log.close());

    const clickhouse = await openClickHouse();
    await migrate(clickhouse, { logger });

    const control = await openControlPlane({ log, now, randomBytes: options.randomBytes, logger, onCrash });
    undo.push(() => control.close());

    const enrichment = await openEnrichment({
      config,
      clickhouse,
      now,
      logger,
      websiteDomain: (websiteId) => control.state().websites.get(websiteId)?.domain ?? null,
    });
    undo.push(() => enrichment.stop());

    let ready = false;
    const pace = createAppendPace({
      // One range being stored and one being gathered, in each partition.
      mostBehind: 2 * config.ENRICHER_BATCH_ROWS * config.EVENT_LOG_PARTITIONS,
      stalledMs: STALLED_MS,
    });
    const enricher = await startEnricher({
      log,
      clickhouse,
      enrich: enrichment.enrich,
      retentionDays,
      config,
      now,
      logger,
      registry,
      onDone: pace.onDone,
      onCrash,
    });
    undo.push(() => enricher.stop());

    const ingest = await startIngest({
      log: pace.paced(log),
      findIngestKey: (key) => findIngestKey(control.state(), key),
      ready: () => ready,
      config,
      now,
      newUploadId: options.newId,
      logger,
      metrics: registry,
    });
    undo.push(() => ingest.stop());

    const urls = publicUrls(ingest);
    const api = await startApi({
      host: config.HOST,
      port: config.API_PORT,
      shutdownTimeoutMs: config.SHUTDOWN_TIMEOUT_MS,
      services: {
        reader: clickhouse,
        control: apiControl(control),
        slowReads: createSlowReads({
          deadlineMs: config.READ_DEADLINE_MS,
          now,
          sleep: (durationMs, signal) => sleep(durationMs, undefined, { signal }).catch(() => {}),
        }),
        detectPlatform: (domain) =>
          detectPlatform(domain, { resolver: new Resolver(), asnOf: enrichment.asnOf }),
        urls,
      },
      ready: async () => ready && (await clickhouse.ping()),
      now,
      newRequestId: options.newId,
      logger,
      registry,
    });
    undo.push(() => api.stop());

    const admin = await startAdminServer({ control, dataDir, logger });
    undo.push(() => admin.close());

    const baseUrl = config.PUBLIC_API_URL ?? `http://${hostForUrl(config.HOST)}:${api.port}`;
    await ensureDemoOrganisation(control, { dataDir, baseUrl, ingestUrl: urls.ingest });
    ready = true;
    undo.push(async () => {
      ready = false;
    });
    logger.info({ api: baseUrl, ingest: urls.ingest, data_dir: dataDir }, 'ready');
    return welcome({ baseUrl, ingestUrl: urls.ingest, credentials: join(dataDir, CREDENTIALS_FILE) });

    function retentionDays(websiteId: string): number {
      const { websites, organisations } = control.state();
      const organisation = organisations.get(websites.get(websiteId)?.organisationId ?? '');
      return organisation === undefined ? RETENTION_DAYS_UNKNOWN : planOf(organisation).retentionDays;
    }
  }

  async function openClickHouse() {
    let url = config.CLICKHOUSE_URL;
    if (url === undefined) {
      const engine = await startEmbeddedClickHouse({ directory: join(dataDir, 'clickhouse'), logger });
      undo.push(() => engine.stop());
      url = engine.url;
    }
    const clickhouse = connectClickHouse(url, { maxMemoryBytes: config.CLICKHOUSE_MAX_MEMORY_BYTES });
    undo.push(() => clickhouse.close());
    return clickhouse;
  }

  function publicUrls(ingest: IngestService) {
    return {
      base: config.PUBLIC_API_URL ?? `http://${hostForUrl(config.HOST)}:${config.API_PORT}`,
      ingest: config.PUBLIC_INGEST_URL ?? `http://${hostForUrl(config.HOST)}:${ingest.port}/v1/logs`,
    };
  }
}

function hostForUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function welcome({
  baseUrl,
  ingestUrl,
  credentials,
}: {
  baseUrl: string;
  ingestUrl: string;
  credentials: string;
}): string {
  return [
    '',
    'Loglane is ready.',
    `  send logs to   ${ingestUrl}`,
    `  read them at   ${baseUrl}/public/v1   (described at ${baseUrl}/public/v1/docs)`,
    `  keys are in    ${credentials}`,
    '  no log at hand? npm run demo',
    '',
  ].join('\n');
}
