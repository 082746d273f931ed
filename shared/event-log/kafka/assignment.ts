import { type Commit, type ConsumeOptions, StaleAssignmentError } from '../event-log.js';
import { logDiverged } from '../log-diverged.js';
import type { Anchor, AnchoredCommit } from './anchor.js';
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
  /** The group goes on without the lease: its partitions are lost, and nothing is committed under it any more. */
  fence(lease: Lease): void;
  /** The consumer has crashed: everything that it owns is lost. */
  abandon(): void;
  isEmpty(): boolean;
  commit(partition: number, commit: Commit): Promise<void>;
}

export interface AssignmentOptions {
  readonly cluster: KafkaCluster;
  readonly protocol: GroupProtocol;
  readonly fetcher: Fetcher;
  /** As the brokers know it. */
  readonly topic: string;
  readonly group: string;
  readonly handlers: Pick<ConsumeOptions, 'onAssigned' | 'onRevoked'>;
  status(): 'active' | 'leaving' | 'crashed';
  /** A lease was fenced: the group has to be joined again. */
  onFenced(): void;
  crash(error: unknown): void;
  onTrouble(error: unknown): Promise<void>;
}

interface Owned {
  readonly lease: Lease;
  readonly lost: AbortController;
  /** Where nothing is fetched: what was fetched last. */
  anchor: Anchor | null;
}

export function createAssignment(options: AssignmentOptions): Assignment {
  const { cluster, protocol, fetcher, topic, group, handlers, status, onFenced, crash, onTrouble } = options;
  const owned = new Map<number, Owned>();
  const fenced = new WeakSet<Lease>();
  const commits = new Set<Promise<unknown>>();

  function fence(lease: Lease): void {
    fenced.add(lease);
    lose((one) => one === lease, 'the group goes on without this consumer');
    onFenced();
  }

  function lose(which: (lease: Lease) => boolean, why: string): void {
    for (const [partition, { lease, lost }] of owned) {
      if (which(lease))
        lost.abort(new StaleAssignmentError(`partition ${partition} of ${topic} is lost: ${why}`));
    }
  }

  function leaseOf(partition: number): Lease | undefined {
    const lease = owned.get(partition)?.lease;
    return status() === 'crashed' || !lease || fenced.has(lease) ? undefined : lease;
  }
  const anchorOf = (partition: number) => fetcher.anchor(partition) ?? owned.get(partition)?.anchor ?? null;
  const commit = createCommit({ protocol, topic, leaseOf, anchorOf, onFenced: fence, onTrouble });

  /** @throws LogDivergedError where a partition ends before what was read of it */
  async function checkEnds(committed: ReadonlyMap<number, AnchoredCommit>): Promise<void> {
    const ends = await edgeOffsets(cluster, topic, [...committed.keys()], 'next');
    for (const [partition, { offset, anchor }] of committed) {
      const read = Math.max(offset, (anchor?.offset ?? -1) + 1);
      const end = ends.get(partition) ?? read;
      if (read > end) throw logDiverged({ topic, group, partition, read, end });
    }
  }

  async function begin(lease: Lease, partition: number, found: AnchoredCommit | null, oldest: number) {
    if (status() !== 'active') return;
    const lost = new AbortController();
    const anchor = found?.anchor ?? null;
    const committed = found && { offset: found.offset, metadata: found.metadata };
    owned.set(partition, { lease, lost, anchor });
    try {
      await handlers.onAssigned?.(partition, committed, lost.signal);
    } catch (error) {
      crash(error);
    }
    if (leaseOf(partition) && status() === 'active') fetcher.open(partition, found?.offset ?? oldest, anchor);
  }

  async function end(partition: number): Promise<void> {
    const anchor = await fetcher.close(partition);
    const one = owned.get(partition);
    if (one) one.anchor = anchor ?? one.anchor;
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
      await checkEnds(committed);
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
    abandon: () => lose(() => true, 'this consumer has crashed'),
    isEmpty: () => owned.size === 0,
    commit(partition, one) {
      const written = commit(partition, one);
      const settled = written.catch(() => {}).finally(() => commits.delete(settled));
      commits.add(settled);
      return written;
    },
  };
}
