import type { Config } from '../config.js';
import type { Logger } from '../logging/log.js';
import { inTime } from '../pacing/in-time.js';
import { type ClickHouse, connectClickHouse } from '../store/client.js';
import { pendingMigrations } from '../store/pending-migrations.js';
import { checkServer } from './check-stores.js';
import type { Service } from './service.js';
import { waitFor } from './wait-for.js';

/** Probes run every few seconds and wait five, so they must not wait for a hanging server. */
const PING_TIMEOUT_MS = 4_000;

/** Client of the server, with the settings that all processes share. Connects lazily. */
export function connectServer(
  url: string,
  config: Pick<Config, 'CLICKHOUSE_CLUSTER' | 'CLICKHOUSE_MAX_MEMORY_BYTES'>,
  logger?: Logger,
): ClickHouse {
  return connectClickHouse(url, {
    ...(logger && { logger }),
    maxMemoryBytes: config.CLICKHOUSE_MAX_MEMORY_BYTES,
    replicated: config.CLICKHOUSE_CLUSTER !== undefined,
    compressAnswers: true,
  });
}

/**
 * Resolves when the server has the schema of this version. With separate services `npm run migrate` creates it.
 * @throws ConfigError if the server's release loses rows.
 */
export function waitForSchema(
  clickhouse: ClickHouse,
  service: Pick<Service, 'logger' | 'stopping'>,
): Promise<void> {
  let isChecked = false;
  return waitFor(
    'ClickHouse',
    async () => {
      if (!isChecked) await checkServer(clickhouse, service.logger);
      isChecked = true;
      const pending = await pendingMigrations(clickhouse);
      if (pending.length > 0)
        throw new Error(`not migrated to this version (npm run migrate): ${pending.join(', ')}`);
    },
    service,
  );
}

/** More frequent probes give no more information. */
const REMEMBER_MS = 2_000;

/**
 * {@link answers} for frequent probes: runs once at a time, and its result is reused for two seconds.
 * @param now milliseconds since the epoch.
 */
export function rememberAnswers(
  clickhouse: Pick<ClickHouse, 'ping'>,
  now: () => number,
): () => Promise<boolean> {
  let asked = Number.NEGATIVE_INFINITY;
  let answer: Promise<boolean> | undefined;
  return () => {
    const at = now();
    // If the clock was set back, the result counts as old.
    if (answer === undefined || at < asked || at - asked >= REMEMBER_MS) {
      asked = at;
      answer = answers(clickhouse);
    }
    return answer;
  };
}

/** Whether the server responds. Never rejects. */
export function answers(clickhouse: Pick<ClickHouse, 'ping'>): Promise<boolean> {
  return inTime(clickhouse.ping(), PING_TIMEOUT_MS, false);
}
