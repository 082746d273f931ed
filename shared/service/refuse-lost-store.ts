import { z } from 'zod';
import { ConfigError } from '../config.js';
import { firstRecordFrom } from '../control/snapshot/start-of-fold.js';
import { SECOND_MS } from '../durations.js';
import { ENRICHER_GROUP } from '../event-log/consumer-groups.js';
import type { EventLog } from '../event-log/event-log.js';
import type { Logger } from '../logging/log.js';
import type { ClickHouseReader } from '../store/client.js';
import type { StorePlaces } from './refuse-lost-log.js';

/**
 * Refuses to start with a lost store. A store was lost if it has no requests, was created after the first decision of the control log, and the
 * enrichers have committed records. Reads would return no rows, and the log's records would not be stored again. A store whose requests were
 * erased is older than the decisions.
 * @throws ConfigError that names both places
 */
export async function refuseLostStore(
  log: Pick<EventLog, 'tail' | 'committed' | 'offsets'>,
  reader: ClickHouseReader,
  { places, logger }: { readonly places: StorePlaces; readonly logger: Pick<Logger, 'warn'> },
): Promise<void> {
  const committed = await log.committed('requests.raw', ENRICHER_GROUP);
  if (committed.size === 0) return;
  const [store] = await reader.read({
    name: 'store_made',
    sql: `SELECT toUnixTimestamp(min(applied_at)) AS made_at, (SELECT count() FROM (SELECT 1 FROM requests LIMIT 1)) AS requests
FROM schema_migrations`,
    params: {},
    row: z.object({ made_at: z.number(), requests: z.number() }),
  });
  if (store === undefined || store.requests > 0) return;
  const decision = await firstRecordFrom(log, 0);
  if (decision === null || store.made_at * SECOND_MS <= decision.appendedAt) return;
  const extents = await log.offsets('requests.raw');
  const kept = [...committed].reduce(
    (sum, [partition, { offset }]) => sum + Math.max(0, offset - (extents.get(partition)?.oldest ?? offset)),
    0,
  );
  if (kept === 0) {
    logger.warn(places, 'the store is new and has no requests: requests that the log has dropped are lost');
    return;
  }
  throw new ConfigError(
    `the store (${places.store}) is new and has no requests, but the log (${places.log}) has ${kept} records that were stored before: stored requests are lost. Restore a copy of the store, or run npm run admin -- log resume-from-store to store the log's records again (docs/troubleshooting.md, "Damaged files")`,
  );
}
