import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { ClickHouse } from '../../../shared/clickhouse/client.js';
import { type RebuildOptions, rebuildRollups } from '../../../shared/clickhouse/rebuild-rollups.js';
import type { Stretch } from './checkpoint.js';
import type { Touched } from './read-touched.js';

const POLL_MS = 100;
/** As the engine names what it sets aside: a reason, a partition, block numbers. */
const PART_NAME = /^[A-Za-z0-9_-]+$/;

/**
 * Takes what is doubtful out of the store: the rows of the stretches, and their share of the rollups. Repeated after a crash
 * at any point it ends in the same state. Nothing may insert into `requests` meanwhile.
 *
 * A log that was begun anew counts offsets from 0 again: rows that were received before those of the stretches are of an
 * earlier log, whatever their place.
 */
export async function repairStore(
  clickhouse: ClickHouse,
  stretches: readonly Stretch[],
  { buckets, receivedFrom }: Touched,
  options: RebuildOptions,
): Promise<void> {
  if (buckets.length === 0) return;
  const receivedAt = Math.floor(receivedFrom / 1000);
  for (const { partition, from, to } of stretches) {
    await clickhouse.command(
      `ALTER TABLE requests DELETE WHERE log_partition = {partition: UInt16}
         AND log_offset >= {from: UInt64} AND log_offset < {to: UInt64}
         AND received_at >= toDateTime({receivedAt: Int64}, 'UTC')`,
      { partition, from, to, receivedAt },
    );
  }
  await untilMutated(clickhouse);
  await rebuildRollups(clickhouse, buckets, options);
  await dropTornParts(clickhouse);
}

/** What the engine set aside when it opened the tables: its rows come again, and nobody erases them there. */
async function dropTornParts(clickhouse: ClickHouse): Promise<void> {
  const torn = await clickhouse.read({
    name: 'repair.torn',
    sql: `SELECT table, name FROM system.detached_parts
          WHERE database = currentDatabase() AND reason IN ('broken-on-start', 'covered-by-broken')`,
    params: {},
    row: z.object({ table: z.string(), name: z.string() }),
  });
  // A bound parameter is an expression, which this statement does not take.
  for (const { table, name } of torn.filter((part) => PART_NAME.test(part.name)))
    await clickhouse.command(
      `ALTER TABLE ${table} DROP DETACHED PART '${name}'`,
      {},
      { allow_drop_detached: 1 },
    );
}

/** Large parts take longer to rewrite than one statement may. @throws Error with the engine's reason where it gives up. */
async function untilMutated(clickhouse: ClickHouse): Promise<void> {
  for (;;) {
    const [row] = await clickhouse.read({
      name: 'repair.mutations',
      sql: `SELECT count() AS running, max(latest_fail_reason) AS failure FROM system.mutations
            WHERE database = currentDatabase() AND table = 'requests' AND NOT is_done`,
      params: {},
      row: z.object({ running: z.number(), failure: z.string() }),
    });
    if (row === undefined || row.running === 0) return;
    if (row.failure !== '') throw new Error(`rows could not be deleted: ${row.failure}`);
    await sleep(POLL_MS);
  }
}
