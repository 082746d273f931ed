import { join, resolve } from 'node:path';
import { createAsnLookup } from '../../services/api/asn-lookup.js';
import { composeApi } from '../../services/api/compose-api.js';
import { openDetector } from '../../services/detector/open-detector.js';
import { openEnricher } from '../../services/enricher/open-enricher.js';
import { leastRangeWeight } from '../../services/enricher/sink/range-queue.js';
import { openIngest } from '../../services/ingest/open-ingest.js';
import { openJobs } from '../../services/jobs/open-jobs.js';
import { watchWrites } from '../../shared/changes/watch-writes.js';
import { type ControlPlane, openControlPlane } from '../../shared/control/control-plane.js';
import { ENRICHER_GROUP } from '../../shared/event-log/consumer-groups.js';
import type { EventLog } from '../../shared/event-log/event-log.js';
import { openFileStore } from '../../shared/files/open-file-store.js';
import { type LocationDatabases, openLocationDatabases } from '../../shared/location/open-databases.js';
import { checkServer } from '../../shared/service/check-stores.js';
import { connectServer } from '../../shared/service/open-clickhouse.js';
import { openKeys, openRing } from '../../shared/service/open-control.js';
import { openCheckedLog } from '../../shared/service/open-event-log.js';
import { publicUrls, signInUrl } from '../../shared/service/public-urls.js';
import { refuseLostLog } from '../../shared/service/refuse-lost-log.js';
import { refuseLostStore } from '../../shared/service/refuse-lost-store.js';
import type { Service } from '../../shared/service/service.js';
import { type ClickHouse, connectClickHouse } from '../../shared/store/client.js';
import { migrate } from '../../shared/store/migrate.js';
import { shareUsage } from '../../shared/usage/share-usage.js';
import { createDeadLetterQueue } from '../admin/dead-letters/dead-letter-queue.js';
import { startAdminServer } from '../admin/server/admin-server.js';
import { createAdminStore } from '../admin/server/admin-store.js';
import { CREDENTIALS_FILE, ensureDemoOrganisation } from '../admin/server/demo-organisation.js';
import { createInsertGate } from '../embedded/engine/insert-gate.js';
import { CALLERS_READS } from '../embedded/engine/session-pool.js';
import { startEmbeddedClickHouse } from '../embedded/engine/start-engine.js';
import { openLmdbEventLog } from '../embedded/log/lmdb-event-log.js';
import { openPrivateFolder } from '../embedded/private-files.js';
import { readBootId } from './durability/boot-id.js';
import { openDurability } from './durability/open-durability.js';
import { demoLoader } from './load-demo.js';
import { openVersions } from './open-versions.js';
import { createAppendPace } from './pace-appends.js';
import { refuseBrokenParts } from './refuse-broken-parts.js';
import { spareReads } from './spare-reads.js';
import { syncFileSystem } from './sync-file-system.js';

/** Without progress for this time, the store counts as unavailable. A range takes less than a second, or several with the longest requests. */
const STALLED_MS = 15_000;

/**
 * Starts all parts in the order of their dependencies.
 * @returns the message for the operator.
 */
export async function startStandalone(service: Service): Promise<string> {
  const { config, logger, onStop } = service;
  const dataDir = resolve(config.DATA_DIR);
  await openPrivateFolder(dataDir);
  const log = await openLog(service, dataDir);
  const durability = await openDurability(service, {
    log,
    group: ENRICHER_GROUP,
    bootId: await readBootId(),
    // The operator of a ClickHouse server is responsible for its disk (docs/install.md).
    sync: config.CLICKHOUSE_URL === undefined ? () => syncFileSystem(dataDir) : null,
  });
  const { versions, onStored } = await openVersions(service, log);
  // The engine starts in its child while this process reads the location tables.
  const [opened, databases] = await Promise.all([openClickHouse(service, dataDir), loadDatabases(service)]);
  const storeDirectory = join(dataDir, 'clickhouse');
  if (config.CLICKHOUSE_URL === undefined)
    await refuseBrokenParts(opened, {
      machineWentDown: durability.machineWentDown,
      directory: storeDirectory,
      logger,
    });
  const clickhouse = watchWrites(durability.through(opened), onStored);
  // A ClickHouse server schedules statements itself.
  const spared =
    config.CLICKHOUSE_URL === undefined
      ? spareReads(clickhouse, () => performance.now())
      : { forCallers: clickhouse, forInserts: clickhouse };
  const api = composeApi(service, spared.forCallers);
  const ring = await openKeys(service, log);
  const secrets = ring ?? (await openRing(service, log));
  const control = await openControlPlane({
    ...service,
    log,
    ring,
    ...api.controlWishes,
    async beforeSnapshot() {
      await api.controlWishes.beforeSnapshot();
      await durability.sync();
    },
  });
  onStop(() => control.close());
  const places = {
    log: config.KAFKA_BROKERS === undefined ? join(dataDir, 'log') : config.KAFKA_BROKERS,
    store: config.CLICKHOUSE_URL === undefined ? storeDirectory : 'CLICKHOUSE_URL',
  };
  await refuseLostLog(control, clickhouse, places);
  await refuseLostStore(log, clickhouse, { places, logger });

  const pace = createAppendPace({
    // Each partition may have two ranges: one that is being stored, and one that is growing. The bounds are two smallest and two largest ranges.
    leastBehind: 2 * leastRangeWeight(config.ENRICHER_BATCH_ROWS) * config.EVENT_LOG_PARTITIONS,
    mostBehind: 2 * config.ENRICHER_BATCH_ROWS * config.EVENT_LOG_PARTITIONS,
    bytesPerRequest: config.ENRICHER_BATCH_BYTES / config.ENRICHER_BATCH_ROWS,
    stalledMs: STALLED_MS,
  });
  const paced = pace.paced(log);
  let complete = false;
  const notReady = () => (complete ? null : 'starting: waiting for other parts');
  await durability.repair(clickhouse);
  const gate = createInsertGate(spared.forInserts);
  const enricher = await openEnricher(service, {
    log,
    clickhouse: gate.clickhouse,
    control,
    databases,
    onDone: pace.onDone,
    onStored,
  });
  const detector = await openDetector(service, {
    log,
    clickhouse: gate.clickhouse,
    control,
    sync: durability.sync,
    onStored,
  });
  const { usage } = api;
  await shareUsage(service, { log, usage });
  api.followUploads(log);
  api.serve({ control, ring: secrets });
  const ingest = await openIngest(service, {
    ...{ log: paced, control, usage, notReady },
    onUploads: api.addUploads,
  });
  const asnOf = createAsnLookup(() => databases.asnTable);
  const urls = publicUrls(config, { ingest: ingest.port });
  const { port: apiPort, hasConsole } = await api.listen(service, {
    asnOf,
    urls,
    dataVersions: versions,
    ...(config.CLICKHOUSE_URL === undefined && { mostReadsAtOnce: CALLERS_READS }),
    // The /readyz of ingest does not depend on the detector: logs are accepted and stored without it.
    notReady: () => notReady() ?? detector.notReady(),
    about: () => ({ reverse_dns: enricher.verification().reverse_dns }),
    loadDemo: demoLoader(join(dataDir, CREDENTIALS_FILE), service.stopping),
  });
  const publicAddresses = publicUrls(config, { api: apiPort, ingest: ingest.port });
  const deadRecords = createDeadLetterQueue({ log: paced, logger });
  const files = await openFileStore(config, { base: urls.base, now: service.now });
  const admin = await startAdminServer({
    ...createAdminStore({
      ...service,
      ...{ control, log, clickhouse, gated: gate.clickhouse, ring, files: files?.store },
      ...{ cluster: config.CLICKHOUSE_CLUSTER, withInsertsHeld: gate.withInsertsHeld },
    }),
    ...{ control, log, deadRecords, ring: secrets, dataDir, logger, urls: publicAddresses },
  });
  onStop(() => admin.close());

  await openJobs(service, { log, clickhouse: gate.clickhouse, control, ring: secrets });
  const { base, ingest: ingestUrl } = publicAddresses;
  const demo = await ensureDemoOrganisation(control, { dataDir, logger, baseUrl: base, ingestUrl });
  complete = true;
  logger.info({ api: base, ingest: ingestUrl, data_dir: dataDir }, 'ready');
  const token = hasConsole && demo !== null ? await makeOwnersLink(control, demo.website_id) : null;
  return welcome({
    baseUrl: base,
    ingestUrl,
    credentials: join(dataDir, CREDENTIALS_FILE),
    signIn: token === null ? null : signInUrl(publicAddresses, token),
  });
}

/** The token of a sign-in link for the organisation of this website; null: others change it without end. */
async function makeOwnersLink(control: ControlPlane, websiteId: string): Promise<string | null> {
  const organisationId = control.state().websites.get(websiteId)!.organisationId;
  const made = await control.execute(
    { type: 'createSignInLink', organisationId, scope: 'read_write' },
    'system',
  );
  return 'refusal' in made ? null : made.answer.clearText;
}

async function openLog({ config, logger, now, onStop }: Service, dataDir: string): Promise<EventLog> {
  const log =
    config.KAFKA_BROKERS === undefined
      ? await openLmdbEventLog({
          directory: join(dataDir, 'log'),
          partitions: config.EVENT_LOG_PARTITIONS,
          maxBytes: config.EVENT_LOG_MAX_BYTES,
          now,
          logger,
        })
      : await openCheckedLog(config, logger);
  onStop(() => log.close());
  return log;
}

/** Blocks the event loop for seconds, so call it after the fork of the engine's child. */
async function loadDatabases({ logger }: Service): Promise<LocationDatabases> {
  return openLocationDatabases(() => logger.info('building a location table (once after an installation)'));
}

/** Opens the configured server or the engine in its child, with this version's schema. */
async function openClickHouse({ config, logger, onStop }: Service, dataDir: string): Promise<ClickHouse> {
  let clickhouse: ClickHouse;
  if (config.CLICKHOUSE_URL === undefined) {
    const engine = await startEmbeddedClickHouse({ directory: join(dataDir, 'clickhouse'), logger });
    onStop(() => engine.stop());
    clickhouse = connectClickHouse(engine.url, {
      maxMemoryBytes: config.CLICKHOUSE_MAX_MEMORY_BYTES,
      logger,
    });
    onStop(() => clickhouse.close());
    await migrate(clickhouse, { logger });
  } else {
    clickhouse = connectServer(config.CLICKHOUSE_URL, config, logger);
    onStop(() => clickhouse.close());
    await checkServer(clickhouse, logger);
    await migrate(clickhouse, { cluster: config.CLICKHOUSE_CLUSTER, logger });
  }
  return clickhouse;
}

function welcome({
  baseUrl,
  ingestUrl,
  credentials,
  signIn,
}: {
  baseUrl: string;
  ingestUrl: string;
  credentials: string;
  signIn: string | null;
}): string {
  return [
    '',
    'Loglane is ready.',
    ...(signIn === null ? [] : [`  see it at      ${signIn}   (once, within 15 minutes)`]),
    `  send logs to   ${ingestUrl}`,
    `  read them at   ${baseUrl}/public/v1   (described at ${baseUrl}/public/v1/docs)`,
    `  keys are in    ${credentials}`,
    '  no log at hand? Run npx loglane demo',
    '',
  ].join('\n');
}
