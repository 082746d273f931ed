import { z } from 'zod';
import { ConfigError } from '../config.js';
import type { ControlPlane } from '../control/control-plane.js';
import type { ClickHouseReader } from '../store/client.js';

export interface StorePlaces {
  readonly log: string;
  readonly store: string;
}

/** Places if both are servers. */
export const SERVERS: StorePlaces = { log: 'KAFKA_BROKERS', store: 'CLICKHOUSE_URL' };

/**
 * Refuses to start with an empty control log and a store with requests: the log was lost, or one of the two belongs to another installation.
 * The start would refuse all keys and create new ones.
 * @throws ConfigError that names both places
 */
export async function refuseLostLog(
  control: Pick<ControlPlane, 'wasEmpty'>,
  reader: ClickHouseReader,
  { log, store }: StorePlaces,
): Promise<void> {
  if (!control.wasEmpty) return;
  const rows = await reader.read({
    name: 'has_requests',
    sql: 'SELECT 1 AS found FROM requests LIMIT 1',
    params: {},
    row: z.object({ found: z.number() }),
  });
  if (rows.length === 0) return;
  throw new ConfigError(
    `the control log (${log}) is empty, but the store (${store}) has requests: websites and keys are lost. Restore the control log with npm run admin -- restore <file>, or configure the log and the store of the same installation`,
  );
}
