import { join } from 'node:path';
import type { Config } from '../../../shared/config.js';
import type { EventLog } from '../../../shared/event-log/event-log.js';
import type { Logger } from '../../../shared/logging/log.js';
import { openEventLog } from '../../../shared/service/open-event-log.js';
import { openLmdbEventLog } from '../../embedded/log/lmdb-event-log.js';
import { openPrivateFolder } from '../../embedded/private-files.js';

/** Opens the log of this configuration. @throws EventLogInUseError if a running instance uses the embedded log. */
export async function openControlLog(config: Config, logger: Logger): Promise<EventLog> {
  if (config.KAFKA_BROKERS !== undefined) return openEventLog(config, logger);
  // As in the services: only the owner can read the restored data, from the first byte on.
  await openPrivateFolder(config.DATA_DIR);
  return openLmdbEventLog({
    directory: join(config.DATA_DIR, 'log'),
    partitions: config.EVENT_LOG_PARTITIONS,
    maxBytes: config.EVENT_LOG_MAX_BYTES,
    now: Date.now,
    logger,
  });
}
