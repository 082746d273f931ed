import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../../shared/config.js';
import type { EventLog } from '../../../shared/event-log/event-log.js';
import type { Service } from '../../../shared/service/service.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import { joinGroup } from '../../embedded/group-member.js';
import { checkpointCommit, doubtful, lastEpoch, ranOn, type Stretch } from './checkpoint.js';
import { createCheckpointKeeper } from './checkpoint-keeper.js';
import { readTouched } from './read-touched.js';
import { repairStore } from './repair-store.js';
import { withEpoch } from './token-epoch.js';

/**
 * Keeps the embedded store consistent after a power loss (services/enricher/sink/EXACTLY-ONCE.md, "When the power fails").
 * The log is on disk before an upload is answered, but rows of the engine reach the disk later. So every few seconds all
 * files are synced, and the position of the store is committed in the log: the checkpoint. After a machine crash, rows
 * after the checkpoint are removed from the store, and the log's records are stored again.
 */
export interface Durability {
  /** The machine crashed: rows written after the last checkpoint may be lost. */
  readonly machineWentDown: boolean;
  /** Wraps the client for all inserts: deduplication tokens of lost rows do not block their repeated inserts. */
  through(clickhouse: ClickHouse): ClickHouse;
  /**
   * Call it before the first insert into `requests`; checkpoints start afterwards.
   * @throws errors of the repair; the next start repeats it.
   */
  repair(clickhouse: ClickHouse): Promise<void>;
  /** Resolves when all data written so far is on disk. */
  sync(): Promise<void>;
}

export interface DurabilityOptions {
  readonly log: EventLog;
  /** Group that writes the store; its commits follow the written rows. */
  readonly group: string;
  /** The kernel's boot id; null if there is none. */
  readonly bootId: string | null;
  /**
   * Syncs all written data to disk. Null: the store is on a server, whose operator is responsible for its disk. Checkpoints of an earlier
   * embedded store then only follow the commits, so they do not block the log's retention.
   */
  readonly sync: (() => Promise<void>) | null;
}

type Parts = Pick<Service, 'logger' | 'onStop' | 'onCrash' | 'newId'> & {
  readonly config: Pick<Config, 'STORE_SYNC_INTERVAL_MS'>;
};

/** The member exists only to commit; its handler takes a second per record. */
const IDLE_MS = 1_000;

/** Open it before the engine, so it stops after the engine. @throws Error if the disk can't be synced. */
export async function openDurability(
  { config, logger, onStop, onCrash, newId }: Parts,
  { log, group, bootId, sync: syncOwn }: DurabilityOptions,
): Promise<Durability> {
  const durable = `${group}-durable`;
  const sync = syncOwn ?? (async () => {});
  // The engine removes merged parts when it opens a table, so the resulting parts must be on disk first.
  await sync();
  const checkpoints = await log.committed('requests.raw', durable);
  const trusted = syncOwn === null || ranOn(checkpoints, bootId);
  let epoch = lastEpoch(checkpoints);
  if (!trusted) await beginEpoch();
  let stop = async () => {};
  onStop(() => stop());

  /**
   * Runs before the first insert of this start, so two starts with interrupted repairs have different epochs. The checkpoints have no boot
   * id then, so no start trusts the store until the next checkpoint.
   */
  async function beginEpoch(): Promise<void> {
    epoch += 1;
    const member = await joinGroup(log, { group: durable, maxBytes: 1, onCrash });
    for (const [partition, { offset }] of checkpoints)
      await member.commit(partition, checkpointCommit(offset, { bootId: null, epoch }));
    await member.stop();
  }

  async function findDoubtful(): Promise<Stretch[]> {
    if (trusted) return [];
    return doubtful(
      checkpoints,
      await log.committed('requests.raw', group),
      await log.offsets('requests.raw'),
    );
  }

  async function storeAgain(clickhouse: ClickHouse, stretches: readonly Stretch[]): Promise<void> {
    logger.warn({ stretches }, 'the machine crashed: records after the last checkpoint are stored again');
    const started = performance.now();
    const touched = await readTouched(log, durable, stretches);
    await repairStore(clickhouse, stretches, touched, { newId, logger });
    // Until the commits, a start repeats the whole repair. After them, the repair must be on disk.
    await sync();
    const member = await joinGroup(log, { group, maxBytes: 1, onCrash });
    for (const { partition, from } of stretches)
      await member.commit(partition, { offset: from, metadata: '' });
    await member.stop();
    const ms = Math.round(performance.now() - started);
    logger.info({ days: touched.buckets.length, ms }, 'store repaired');
  }

  async function keepCheckpoints(): Promise<void> {
    const stopping = new AbortController();
    const onRecords = () => sleep(IDLE_MS, undefined, { signal: stopping.signal }).catch(() => {});
    const member = await joinGroup(log, { group: durable, maxBytes: 1, onRecords, onCrash });
    const keeper = createCheckpointKeeper({ log, group, member, sync, mark: { bootId, epoch } });
    await keeper.checkpoint();
    const timer = setInterval(() => {
      keeper.checkpoint().catch((error: unknown) => {
        // The next checkpoint covers these rows. Until then a power loss causes a longer repair, and the log keeps more records.
        logger.error({ err: error }, 'could not sync the store to disk');
      });
    }, config.STORE_SYNC_INTERVAL_MS);
    stop = async () => {
      clearInterval(timer);
      stopping.abort();
      await keeper.checkpoint().finally(() => member.stop());
    };
  }

  return {
    machineWentDown: !trusted,
    through: (clickhouse) => withEpoch(clickhouse, epoch),
    async repair(clickhouse) {
      const stretches = await findDoubtful();
      if (stretches.length > 0) await storeAgain(clickhouse, stretches);
      if (syncOwn !== null || checkpoints.size > 0) await keepCheckpoints();
    },
    sync,
  };
}
