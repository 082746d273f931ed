import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { HOUR_MS } from '../../../shared/durations.js';
import { ENRICHER_GROUP } from '../../../shared/event-log/consumer-groups.js';
import type { Commit, EventLog } from '../../../shared/event-log/event-log.js';
import type { ClickHouseReader } from '../../../shared/store/client.js';
import { joinGroup } from '../../embedded/group-member.js';
import { AdminError } from '../instance/instance.js';
import { type ResumePosition, resumePosition } from './resume-position.js';

/** `log resume-from-store`: the enrichers continue after the newest record in the store, in every partition. */

const TOPIC = 'requests.raw';

export interface ResumableLog extends Pick<EventLog, 'committed' | 'offsets' | 'consume'> {
  /** Present if the log is on Kafka. */
  moveGroup?(topic: typeof TOPIC, group: string, offsets: ReadonlyMap<number, number>): Promise<void>;
}

/** A running enricher commits within this time if there are uploads. */
const LOOK_MS = 2_000;

/**
 * Moves the commits of all partitions, or of none if one partition can't be moved.
 * @throws AdminError if an enricher runs, or the log ends before the store; LogUnavailableError
 */
export async function resumeFromStore(
  log: ResumableLog,
  store: ClickHouseReader,
  lookMs = LOOK_MS,
): Promise<readonly ResumePosition[]> {
  const before = await log.committed(TOPIC, ENRICHER_GROUP);
  const lastStored = await readLastStored(store);
  const ends = await log.offsets(TOPIC);
  const positions = [...ends].map(([partition, { oldest, next: end }]) =>
    resumePosition({
      ...{ partition, oldest, end },
      committed: before.get(partition) ?? null,
      lastStored: lastStored.get(partition) ?? null,
    }),
  );
  await sleep(lookMs);
  if (textOf(await log.committed(TOPIC, ENRICHER_GROUP)) !== textOf(before))
    throw new AdminError('an enricher is running: stop all enrichers, then repeat the command');
  const offsets = new Map(positions.filter(({ moves }) => moves).map(({ partition, to }) => [partition, to]));
  if (offsets.size > 0) await move(log, offsets);
  return positions;
}

async function move(log: ResumableLog, offsets: ReadonlyMap<number, number>): Promise<void> {
  if (log.moveGroup !== undefined) return log.moveGroup(TOPIC, ENRICHER_GROUP, offsets);
  // Only one process can open the embedded log, so no enricher is running.
  let failure: Error | null = null;
  const member = await joinGroup(log, {
    group: ENRICHER_GROUP,
    maxBytes: 1,
    onCrash(error) {
      failure = error;
    },
  });
  for (const [partition, offset] of offsets) await member.commit(partition, { offset, metadata: '' });
  await member.stop();
  if (failure !== null) throw failure;
}

/** Trial rows of refused records have a partition number that no log has (EXACTLY-ONCE.md). */
async function readLastStored(store: ClickHouseReader): Promise<ReadonlyMap<number, number>> {
  const rows = await store.read({
    name: 'admin.last_stored',
    sql: 'SELECT log_partition, max(log_offset) AS last FROM requests GROUP BY log_partition',
    params: {},
    row: z.object({ log_partition: z.number(), last: z.number() }),
    // The query reads two columns of every row.
    timeoutMs: HOUR_MS,
    caughtUpWith: ['requests'],
  });
  return new Map(rows.map(({ log_partition, last }) => [log_partition, last]));
}

const textOf = (commits: ReadonlyMap<number, Commit>) =>
  JSON.stringify([...commits].sort(([one], [other]) => one - other));
