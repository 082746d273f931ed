import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Logger } from '../../../shared/logging/log.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import { type RebuildOptions, rebuildRollups } from '../../admin/rows/rebuild-rollups.js';
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

/** As the engine writes down the deletions above. */
const OF_REPAIR = '(DELETE WHERE (log_partition = ';
const DELETION = '(DELETE WHERE ';

const mutationRow = z.object({
  mutation_id: z.string(),
  command: z.string(),
  latest_fail_reason: z.string(),
});

/**
 * Large parts take longer to rewrite than one statement may. What an earlier run left unfinished is waited for, too, since
 * the engine carries mutations out in their order. A deletion of an erasure that fails is ended: everything behind it would wait
 * for it, and who asked for it was not told that it is done (docs/privacy.md: repeat it after a crash).
 * @throws Error with the engine's reason where it gives another one up.
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
    // Those behind one that fails have its reason as well, whatever they are.
    const erasures = failed.filter(
      ({ command }) => command.startsWith(DELETION) && !command.startsWith(OF_REPAIR),
    );
    if (failed.length > 0 && erasures.length === 0)
      throw new Error(`rows could not be deleted: ${failed[0]!.latest_fail_reason}`);
    for (const { mutation_id, command, latest_fail_reason } of erasures) {
      logger.error({ command, reason: latest_fail_reason }, 'an erasure was ended: repeat it');
      await clickhouse.command(
        `KILL MUTATION WHERE database = currentDatabase() AND table = 'requests' AND mutation_id = {id: String}`,
        { id: mutation_id },
      );
    }
    await sleep(POLL_MS);
  }
}
