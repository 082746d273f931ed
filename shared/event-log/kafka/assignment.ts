import type { Commit, ConsumeOptions } from '../event-log.js';
import { edgeOffsets, type KafkaCluster } from './cluster.js';
import { createCommit } from './commits.js';
import type { Fetcher } from './fetcher.js';
import type { GroupProtocol, Lease } from './group-protocol.js';

/** The partitions that a consumer owns under its present lease. */
export interface Assignment {
  /** Reads the commits, tells `onAssigned` and begins to read. */
  takeOver(lease: Lease): Promise<void>;
  /** Lets the running calls end and tells `onRevoked`. Commits work until the first; where the consumer leaves, until the second. */
  release(): Promise<void>;
  /** The group has gone on without the lease: nothing is committed under it any more. */
  fence(lease: Lease): void;
  isEmpty(): boolean;
  commit(partition: number, commit: Commit): Promise<void>;
}

export interface AssignmentOptions {
  readonly cluster: KafkaCluster;
  readonly protocol: GroupProtocol;
  readonly fetcher: Fetcher;
  /** As the brokers know it. */
  readonly topic: string;
  readonly handlers: Pick<ConsumeOptions, 'onAssigned' | 'onRevoked'>;
  status(): 'active' | 'leaving' | 'crashed';
  crash(error: unknown): void;
  onTrouble(error: unknown): Promise<void>;
}

export function createAssignment(options: AssignmentOptions): Assignment {
  const { cluster, protocol, fetcher, topic, handlers, status, crash, onTrouble } = options;
  const owned = new Map<number, Lease>();
  const fenced = new WeakSet<Lease>();
  const commits = new Set<Promise<unknown>>();
  const fence = (lease: Lease) => void fenced.add(lease);

  function leaseOf(partition: number): Lease | undefined {
    const lease = owned.get(partition);
    return status() === 'crashed' || !lease || fenced.has(lease) ? undefined : lease;
  }
  const commit = createCommit({ protocol, topic, leaseOf, onFenced: fence, onTrouble });

  async function begin(lease: Lease, partition: number, committed: Commit | null, oldest: number) {
    if (status() !== 'active') return;
    owned.set(partition, lease);
    try {
      await handlers.onAssigned?.(partition, committed, new AbortController().signal);
    } catch (error) {
      crash(error);
    }
    if (status() === 'active') fetcher.open(partition, committed?.offset ?? oldest);
  }

  async function end(partition: number): Promise<void> {
    await fetcher.close(partition);
    if (status() === 'active') await giveUp(partition);
    try {
      if (status() !== 'crashed') await handlers.onRevoked?.(partition);
    } catch (error) {
      crash(error);
    }
    await giveUp(partition);
  }

  async function giveUp(partition: number): Promise<void> {
    owned.delete(partition);
    await Promise.all(commits);
  }

  return {
    async takeOver(lease) {
      const committed = await protocol.committed(lease.partitions);
      const fresh = lease.partitions.filter((partition) => !committed.has(partition));
      const oldest = await edgeOffsets(cluster, topic, fresh, 'oldest');
      await Promise.all(
        lease.partitions.map((partition) =>
          begin(lease, partition, committed.get(partition) ?? null, oldest.get(partition) ?? 0),
        ),
      );
    },
    async release() {
      await Promise.all([...owned.keys()].map(end));
    },
    fence,
    isEmpty: () => owned.size === 0,
    commit(partition, one) {
      const written = commit(partition, one);
      const settled = written.catch(() => {}).finally(() => commits.delete(settled));
      commits.add(settled);
      return written;
    },
  };
}
