import { setTimeout as sleep } from 'node:timers/promises';
import { type Commit, LogUnavailableError, StaleAssignmentError } from '../event-log.js';
import { type Anchor, MAX_METADATA_BYTES, withAnchor } from './anchor.js';
import { isFatal, isFenced, isRebalance } from './errors.js';
import type { GroupAssignment, GroupProtocol } from './group-protocol.js';

/** The restart time of a broker; after this the caller decides. */
const PATIENCE_MS = 30_000;
const RETRY_MS = 200;

export interface CommitOptions {
  readonly protocol: GroupProtocol;
  readonly topic: string;
  /** The assignment under which this consumer currently owns the partition. */
  assignmentOf(partition: number): GroupAssignment | undefined;
  /** The newest record that was read of the partition. */
  anchorOf(partition: number): Anchor | null;
  onFenced(grant: GroupAssignment): void;
  onTrouble(error: unknown): Promise<void>;
}

/**
 * Commits only under the assignment that is valid at the call. A retry after a rebalance would otherwise commit in the
 * new generation and overwrite the next owner's commit.
 */
export function createCommit(options: CommitOptions) {
  const { protocol, topic, assignmentOf, anchorOf, onFenced, onTrouble } = options;

  /** @throws StaleAssignmentError, RangeError, LogUnavailableError */
  return async function commit(partition: number, one: Commit): Promise<void> {
    if (!Number.isInteger(one.offset) || one.offset < 0) {
      throw new RangeError(`commit: ${one.offset} is no offset of partition ${partition} of ${topic}`);
    }
    if (Buffer.byteLength(one.metadata) > MAX_METADATA_BYTES) {
      throw new RangeError('commit: metadata is too long');
    }
    const stale = () => new StaleAssignmentError(`partition ${partition} of ${topic} is not this consumer's`);
    const grant = assignmentOf(partition);
    const anchored = { offset: one.offset, metadata: withAnchor(one.metadata, anchorOf(partition)) };
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      if (!grant || assignmentOf(partition) !== grant) throw stale();
      try {
        return await protocol.commit(grant, partition, anchored);
      } catch (error) {
        if (isFenced(error)) onFenced(grant);
        if (isFenced(error) || isRebalance(error)) throw stale();
        if (isFatal(error) || Date.now() > deadline) {
          throw new LogUnavailableError(`commit of ${topic}: the brokers do not answer`, { cause: error });
        }
        await onTrouble(error);
        await sleep(RETRY_MS);
      }
    }
  };
}
