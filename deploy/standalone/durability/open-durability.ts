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
 * Keeps the embedded store whole over a loss of power (services/enricher/sink/EXACTLY-ONCE.md, "When the power fails").
 * The log is on the disk before an upload is answered; what the engine writes gets there some time later. So every few
 * seconds everything is synced at once, and how far the store was then is committed in the log: the checkpoint. When the
 * machine went down, what lies behind the checkpoint is taken out of the store and comes again from the log.
 */
export interface Durability {
  /** Rows that were written after the last checkpoint may be lost. */
  readonly machineWentDown: boolean;
  /** The client that everything is inserted through: what the engine remembers of lost rows does not keep them away. */
  through(clickhouse: ClickHouse): ClickHouse;
  /**
   * To be called before anything inserts into `requests`; checkpoints begin after it.
   * @throws what kept the store from being repaired; the next start begins again.
   */
  repair(clickhouse: ClickHouse): Promise<void>;
  /** Resolves when everything that was written so far is on the disk. */
  sync(): Promise<void>;
}

export interface DurabilityOptions {
  readonly log: EventLog;
  /** Group that writes the store; its commits say what is written. */
  readonly group: string;
  /** The kernel's name for its run; null where it has none. */
  readonly bootId: string | null;
  /**
   * Puts everything that was written on the disk. Null: the store's disk is its operator's. Checkpoints that an embedded store
   * left then only follow what is written, so that the log's retention goes on.
   */
  readonly sync: (() => Promise<void>) | null;
}

type Parts = Pick<Service, 'logger' | 'onStop' | 'onCrash' | 'newId'> & {
  readonly config: Pick<Config, 'STORE_SYNC_INTERVAL_MS'>;
};

/** The member exists only to commit; its handler takes a second for each record it is given. */
const IDLE_MS = 1_000;

/** To be opened before the engine, so that it stops after it. @throws Error where the disk can't be synced. */
export async function openDurability(
  { config, logger, onStop, onCrash, newId }: Parts,
  { log, group, bootId, sync: syncOwn }: DurabilityOptions,
): Promise<Durability> {
  const durable = `${group}-durable`;
  const sync = syncOwn ?? (async () => {});
  // The engine drops merged parts when it opens a table: what they were merged into must be on the disk before.
  await sync();
  const checkpoints = await log.committed('requests.raw', durable);
  const trusted = syncOwn === null || ranOn(checkpoints, bootId);
  let epoch = lastEpoch(checkpoints);
  if (!trusted) await beginEpoch();
  let stop = async () => {};
  onStop(() => stop());

  /**
   * Before the first insert of this start: two starts whose repair was cut off have epochs of their own. The checkpoints name no run of the
   * kernel then, so that no start trusts the store until the next one is made.
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
    logger.warn({ stretches }, 'the machine went down: records after the last checkpoint are stored again');
    const started = performance.now();
    const touched = await readTouched(log, durable, stretches);
    await repairStore(clickhouse, stretches, touched, { newId, logger });
    // Until the commits say otherwise a start does all of this again; afterwards it has to be on the disk.
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
        // The next one covers it. Until then a loss of power makes for a longer repair, and the log keeps more.
        logger.error({ err: error }, 'the store could not be synced to the disk');
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
