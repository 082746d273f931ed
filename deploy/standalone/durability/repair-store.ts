import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Logger } from '../../../shared/logging/log.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import { type RebuildOptions, rebuildRollups } from '../../admin/rows/rebuild-rollups.js';
import type { Stretch } from './checkpoint.js';
import type { Touched } from './read-touched.js';

const POLL_MS = 100;
/** Names of detached parts: a reason, a partition and block numbers. */
const PART_NAME = /^[A-Za-z0-9_-]+$/;

/**
 * Removes doubtful rows from the store: the rows of the ranges, and their part of the rollups. A repeat after a crash at any
 * point ends in the same state. Nothing may insert into `requests` meanwhile.
 *
 * The offsets of a new log start at 0 again. Rows received before the rows of the ranges belong to an earlier log, even with
 * the same offsets, and stay.
 */
export async function repairStore(
  clickhouse: ClickHouse,
  stretches: readonly Stretch[],
  { buckets, receivedFrom }: Touched,
  options: RebuildOptions,
): Promise<void> {
  if (buckets.length === 0) return;
  const receivedAt = Math.floor(receivedFrom / 1000);
  await untilMutated(clickhouse, options.logger);
  for (const { partition, from, to } of stretches) {
    await clickhouse.command(
      `ALTER TABLE requests DELETE WHERE log_partition = {partition: UInt16}
         AND log_offset >= {from: UInt64} AND log_offset < {to: UInt64}
         AND received_at >= toDateTime({receivedAt: Int64}, 'UTC')`,
      { partition, from, to, receivedAt },
    );
  }
  await untilMutated(clickhouse, options.logger);
  await rebuildRollups(clickhouse, buckets, options);
  await dropTornParts(clickhouse);
}

/** Drops the parts that the engine detached when it opened the tables. The log has their rows, and erasures don't cover detached parts. */
async function dropTornParts(clickhouse: ClickHouse): Promise<void> {
  const torn = await clickhouse.read({
    name: 'repair.torn',
    sql: `SELECT table, name FROM system.detached_parts
          WHERE database = currentDatabase() AND reason IN ('broken-on-start', 'covered-by-broken')`,
    params: {},
    row: z.object({ table: z.string(), name: z.string() }),
  });
  // This statement accepts no expressions, so the names can't be parameters.
  for (const { table, name } of torn.filter((part) => PART_NAME.test(part.name)))
    await clickhouse.command(
      `ALTER TABLE ${table} DROP DETACHED PART '${name}'`,
      {},
      { allow_drop_detached: 1 },
    );
}

/** Start of the deletions above in the engine's list of mutations. */
const OF_REPAIR = '(DELETE WHERE (log_partition = ';
const DELETION = '(DELETE WHERE ';

const mutationRow = z.object({
  mutation_id: z.string(),
  command: z.string(),
  latest_fail_reason: z.string(),
});

/**
 * Waits for all mutations, since the rewrite of large parts exceeds the time limit of a statement. This includes mutations of an
 * earlier run, because the engine runs mutations in order. A failing deletion of an erasure is cancelled, since it would block all
 * later ones. The erasure was not reported as complete (docs/privacy.md: repeat it after a crash).
 * @throws Error with the engine's reason if another mutation fails.
 */
async function untilMutated(clickhouse: ClickHouse, logger: Logger): Promise<void> {
  for (;;) {
    const unfinished = await clickhouse.read({
      name: 'repair.mutations',
      sql: `SELECT mutation_id, command, latest_fail_reason FROM system.mutations
            WHERE database = currentDatabase() AND table = 'requests' AND NOT is_done`,
      params: {},
      row: mutationRow,
    });
    if (unfinished.length === 0) return;
    const failed = unfinished.filter(({ latest_fail_reason }) => latest_fail_reason !== '');
    // Mutations after a failing one have the same reason.
    const erasures = failed.filter(
      ({ command }) => command.startsWith(DELETION) && !command.startsWith(OF_REPAIR),
    );
    if (failed.length > 0 && erasures.length === 0)
      throw new Error(`rows could not be deleted: ${failed[0]!.latest_fail_reason}`);
    for (const { mutation_id, command, latest_fail_reason } of erasures) {
      logger.error({ command, reason: latest_fail_reason }, 'cancelled an erasure: repeat it');
      await clickhouse.command(
        `KILL MUTATION WHERE database = currentDatabase() AND table = 'requests' AND mutation_id = {id: String}`,
        { id: mutation_id },
      );
    }
    await sleep(POLL_MS);
  }
}
