import type { EventLog } from '../../../shared/event-log/event-log.js';
import type { GroupMember } from '../../embedded/group-member.js';
import { checkpointCommit, type Mark } from './checkpoint.js';

export interface CheckpointKeeper {
  /**
   * Makes what was written durable, then says so in the log. What the enricher has committed was written before, so inserts
   * may go on meanwhile. One at a time: calls while one runs share the one that is made after it, so that a slow disk gathers no
   * queue of them.
   * @throws Error where the disk does not take it; LogUnavailableError.
   */
  checkpoint(): Promise<void>;
}

export interface CheckpointKeeperOptions {
  readonly log: EventLog;
  /** Group whose commits say what is written. */
  readonly group: string;
  /** Of the group that holds the checkpoints. */
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
      // Before its first commit nothing of a partition is written.
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

  /** Begins when the running one has ended, so that it covers what is written until then. */
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
