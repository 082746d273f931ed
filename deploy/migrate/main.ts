import { ConfigError, loadConfig } from '../../shared/config.js';
import { MINUTE_MS } from '../../shared/durations.js';
import { createLogger } from '../../shared/logging/log.js';
import { checkServer } from '../../shared/service/check-stores.js';
import { connectServer } from '../../shared/service/open-clickhouse.js';
import { migrateWhenThere } from './migrate-when-there.js';

/** A server that replays a long log at its start takes minutes. The deadline of the Job is later (deploy/kubernetes/base/migrate/job.yaml). */
const DEADLINE_MS = 30 * MINUTE_MS;

/** `npm run migrate`: updates the ClickHouse at CLICKHOUSE_URL to this version's schema. */
async function main(): Promise<void> {
  const config = loadConfig(process.env);
  if (config.CLICKHOUSE_URL === undefined) {
    throw new ConfigError(
      'configuration: CLICKHOUSE_URL: expected the server to migrate; the embedded engine is migrated at its start',
    );
  }
  const logger = createLogger(config.LOG_LEVEL, 'migrate');
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => stop.abort(new Error(`ended by ${signal}`)));
  const clickhouse = connectServer(config.CLICKHOUSE_URL, config);
  try {
    const applied = await migrateWhenThere(clickhouse, {
      cluster: config.CLICKHOUSE_CLUSTER,
      logger,
      check: () => checkServer(clickhouse, logger),
      stopping: AbortSignal.any([stop.signal, AbortSignal.timeout(DEADLINE_MS)]),
    });
    logger.info({ applied: applied.length }, 'the schema is up to date');
  } finally {
    await clickhouse.close();
  }
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
