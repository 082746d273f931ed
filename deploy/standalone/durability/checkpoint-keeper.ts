import type { EventLog } from '../../../shared/event-log/event-log.js';
import type { GroupMember } from '../../embedded/group-member.js';
import { checkpointCommit, type Mark } from './checkpoint.js';

export interface CheckpointKeeper {
  /**
   * Syncs all written rows to disk, then commits the checkpoint in the log. Inserts may continue meanwhile, since the enricher
   * commits only written rows. One checkpoint runs at a time. Calls during a run share the next one, so no queue builds up on a slow disk.
   * @throws Error if the sync fails; LogUnavailableError.
   */
  checkpoint(): Promise<void>;
}

export interface CheckpointKeeperOptions {
  readonly log: EventLog;
  /** Group whose commits follow the written rows. */
  readonly group: string;
  /** Member of the group with the checkpoints. */
  readonly member: GroupMember;
  readonly mark: Mark;
  sync(): Promise<void>;
}

export function createCheckpointKeeper(options: CheckpointKeeperOptions): CheckpointKeeper {
  const { log, group, member, mark, sync } = options;
  const noted = new Map<number, number>();
  let running: Promise<void> | null = null;
  let waiting: Promise<void> | null = null;

  async function checkpoint(): Promise<void> {
    const [written, extents] = await Promise.all([
      log.committed('requests.raw', group),
      log.offsets('requests.raw'),
    ]);
    await sync();
    for (const partition of member.owned()) {
      // Without a commit, no rows of the partition are written.
      const offset = written.get(partition)?.offset ?? extents.get(partition)?.oldest ?? 0;
      if (noted.get(partition) === offset) continue;
      await member.commit(partition, checkpointCommit(offset, mark));
      noted.set(partition, offset);
    }
  }

  function begin(): Promise<void> {
    const made = checkpoint().finally(() => {
      running = null;
    });
    running = made;
    return made;
  }

  /** Starts after the running checkpoint has ended, so it covers all rows written until then. */
  async function next(after: Promise<void>): Promise<void> {
    await after.catch(() => {});
    waiting = null;
    await begin();
  }

  return {
    checkpoint() {
      if (waiting !== null) return waiting;
      if (running === null) return begin();
      waiting = next(running);
      return waiting;
    },
  };
}
