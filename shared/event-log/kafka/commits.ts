import { setTimeout as sleep } from 'node:timers/promises';
import { type Commit, LogUnavailableError, StaleAssignmentError } from '../event-log.js';
import { type Anchor, MAX_METADATA_BYTES, withAnchor } from './anchor.js';
import { isFatal, isFenced, isRebalance } from './errors.js';
import type { GroupProtocol, Lease } from './group-protocol.js';

/** As long as a broker takes to start again; after this the caller decides. */
const PATIENCE_MS = 30_000;
const RETRY_MS = 200;

export interface CommitOptions {
  readonly protocol: GroupProtocol;
  readonly topic: string;
  /** The lease under which the partition is this consumer's at this moment. */
  leaseOf(partition: number): Lease | undefined;
  /** The newest record that was read of the partition. */
  anchorOf(partition: number): Anchor | null;
  onFenced(lease: Lease): void;
  onTrouble(error: unknown): Promise<void>;
}

/**
 * Commits under the lease that holds when it is called, and under no later one: what is tried again after a
 * rebalance would otherwise count in the new generation, over the head of the partition's next owner.
 */
export function createCommit(options: CommitOptions) {
  const { protocol, topic, leaseOf, anchorOf, onFenced, onTrouble } = options;

  /** @throws StaleAssignmentError, RangeError, LogUnavailableError */
  return async function commit(partition: number, one: Commit): Promise<void> {
    if (!Number.isInteger(one.offset) || one.offset < 0) {
      throw new RangeError(`commit: ${one.offset} is no offset of partition ${partition} of ${topic}`);
    }
    if (Buffer.byteLength(one.metadata) > MAX_METADATA_BYTES) {
      throw new RangeError('commit: metadata is too long');
    }
    const stale = () => new StaleAssignmentError(`partition ${partition} of ${topic} is not this consumer's`);
    const lease = leaseOf(partition);
    const anchored = { offset: one.offset, metadata: withAnchor(one.metadata, anchorOf(partition)) };
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      if (!lease || leaseOf(partition) !== lease) throw stale();
      try {
        return await protocol.commit(lease, partition, anchored);
      } catch (error) {
        if (isFenced(error)) onFenced(lease);
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
