import { createSnapshotStore } from '../../shared/control/snapshot/snapshot-store.js';
import { startHealthServer } from '../../shared/service/health-server.js';
import { answers, connectServer, waitForSchema } from '../../shared/service/open-clickhouse.js';
import { openControl, openRing } from '../../shared/service/open-control.js';
import { openLog } from '../../shared/service/open-event-log.js';
import { runService } from '../../shared/service/run.js';
import { openJobs } from './open-jobs.js';

/** The jobs service as a process of its own, on Kafka and a ClickHouse server. */
await runService({
  name: 'jobs',
  needs: ['KAFKA_BROKERS', 'CLICKHOUSE_URL'],
  async start(service) {
    const { config, logger, registry, stopping } = service;
    const clickhouse = connectServer(config.CLICKHOUSE_URL, config);
    service.onStop(() => clickhouse.close());
    let isReady: (() => boolean) | null = null;
    const health = await startHealthServer({
      host: config.HOST,
      port: config.HEALTH_PORT,
      ready: async () => isReady?.() === true && !stopping.aborted && (await answers(clickhouse)),
      registry: config.METRICS_PORT === undefined ? registry : undefined,
      logger,
    });
    service.onStop(() => health.close());
    logger.info({ port: health.port }, 'health listening');

    const log = await openLog(service);
    // The API writes them.
    const { readNewest } = createSnapshotStore(clickhouse, logger);
    const ring = await openRing(service, log);
    const control = await openControl(service, log, { snapshots: { readNewest }, ring });
    await waitForSchema(clickhouse, service);
    ({ isReady } = await openJobs(service, { log, clickhouse, control, ring }));
    logger.info('ready');
  },
});
