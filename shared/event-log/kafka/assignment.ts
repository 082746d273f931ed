import { type Commit, type ConsumeOptions, StaleAssignmentError } from '../event-log.js';
import { logDiverged } from '../log-diverged.js';
import type { Anchor, AnchoredCommit } from './anchor.js';
import { edgeOffsets, type KafkaCluster } from './cluster.js';
import { createCommit } from './commits.js';
import type { Fetcher } from './fetcher.js';
import type { GroupAssignment, GroupProtocol } from './group-protocol.js';

/** The partitions that a consumer owns in the group's present generation. */
export interface Assignment {
  /** Reads the commits, calls `onAssigned` and starts reading. */
  takeOver(grant: GroupAssignment): Promise<void>;
  /**
   * Waits for the running calls and then calls `onRevoked`. Commits work until the calls have ended; on shutdown, until
   * `onRevoked` has returned.
   */
  release(): Promise<void>;
  /** The group continues without the assignment: its partitions are lost, and it commits nothing more. */
  fence(grant: GroupAssignment): void;
  /** The consumer has crashed: it loses all its partitions. */
  abandon(): void;
  isEmpty(): boolean;
  commit(partition: number, commit: Commit): Promise<void>;
}

export interface AssignmentOptions {
  readonly cluster: KafkaCluster;
  readonly protocol: GroupProtocol;
  readonly fetcher: Fetcher;
  /** Name at the brokers. */
  readonly topic: string;
  readonly group: string;
  readonly handlers: Pick<ConsumeOptions, 'onAssigned' | 'onRevoked'>;
  status(): 'active' | 'leaving' | 'crashed';
  /** An assignment was fenced: the consumer must rejoin the group. */
  onFenced(): void;
  crash(error: unknown): void;
  onTrouble(error: unknown): Promise<void>;
}

interface Owned {
  readonly grant: GroupAssignment;
  readonly lost: AbortController;
  /** The record fetched last, for a partition that is not being fetched. */
  anchor: Anchor | null;
}

export function createAssignment(options: AssignmentOptions): Assignment {
  const { cluster, protocol, fetcher, topic, group, handlers, status, onFenced, crash, onTrouble } = options;
  const owned = new Map<number, Owned>();
  const fenced = new WeakSet<GroupAssignment>();
  const commits = new Set<Promise<unknown>>();

  function fence(grant: GroupAssignment): void {
    fenced.add(grant);
    lose((one) => one === grant, 'the group goes on without this consumer');
    onFenced();
  }

  function lose(which: (grant: GroupAssignment) => boolean, why: string): void {
    for (const [partition, { grant, lost }] of owned) {
      if (which(grant))
        lost.abort(new StaleAssignmentError(`partition ${partition} of ${topic} is lost: ${why}`));
    }
  }

  function assignmentOf(partition: number): GroupAssignment | undefined {
    const grant = owned.get(partition)?.grant;
    return status() === 'crashed' || !grant || fenced.has(grant) ? undefined : grant;
  }
  const anchorOf = (partition: number) => fetcher.anchor(partition) ?? owned.get(partition)?.anchor ?? null;
  const commit = createCommit({ protocol, topic, assignmentOf, anchorOf, onFenced: fence, onTrouble });

  /** @throws LogDivergedError if a partition ends before the records already read */
  async function checkEnds(committed: ReadonlyMap<number, AnchoredCommit>): Promise<void> {
    const ends = await edgeOffsets(cluster, topic, [...committed.keys()], 'next');
    for (const [partition, { offset, anchor }] of committed) {
      const read = Math.max(offset, (anchor?.offset ?? -1) + 1);
      const end = ends.get(partition) ?? read;
      if (read > end) throw logDiverged({ topic, group, partition, read, end });
    }
  }

  type Found = AnchoredCommit | null;
  async function begin(grant: GroupAssignment, partition: number, found: Found, oldest: number) {
    if (status() !== 'active') return;
    const lost = new AbortController();
    const anchor = found?.anchor ?? null;
    const committed = found && { offset: found.offset, metadata: found.metadata };
    owned.set(partition, { grant, lost, anchor });
    try {
      await handlers.onAssigned?.(partition, committed, lost.signal, grant.total);
    } catch (error) {
      crash(error);
    }
    if (assignmentOf(partition) && status() === 'active')
      fetcher.open(partition, found?.offset ?? oldest, anchor);
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
    async takeOver(grant) {
      const committed = await protocol.committed(grant.partitions);
      await checkEnds(committed);
      const fresh = grant.partitions.filter((partition) => !committed.has(partition));
      const oldest = await edgeOffsets(cluster, topic, fresh, 'oldest');
      await Promise.all(
        grant.partitions.map((partition) =>
          begin(grant, partition, committed.get(partition) ?? null, oldest.get(partition) ?? 0),
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
