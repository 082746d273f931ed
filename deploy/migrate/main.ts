import { connectClickHouse } from '../../shared/clickhouse/client.js';
import { migrate } from '../../shared/clickhouse/migrate.js';
import { ConfigError, loadConfig } from '../../shared/config.js';
import { createLogger } from '../../shared/log.js';

/** `npm run migrate`: brings the ClickHouse at CLICKHOUSE_URL to this version's schema. */
async function main(): Promise<void> {
  const config = loadConfig(process.env);
  if (config.CLICKHOUSE_URL === undefined) {
    throw new ConfigError(
      'configuration: CLICKHOUSE_URL: names the server to migrate; the embedded engine migrates by itself at start',
    );
  }
  const logger = createLogger(config.LOG_LEVEL, 'migrate');
  const clickhouse = connectClickHouse(config.CLICKHOUSE_URL, {
    maxMemoryBytes: config.CLICKHOUSE_MAX_MEMORY_BYTES,
  });
  try {
    const applied = await migrate(clickhouse, { cluster: config.CLICKHOUSE_CLUSTER, logger });
    logger.info({ applied: applied.length }, 'the schema is up to date');
  } finally {
    await clickhouse.close();
  }
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
