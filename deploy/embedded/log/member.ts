import {
  type Commit,
  type ConsumeOptions,
  StaleAssignmentError,
} from '../../../shared/event-log/event-log.js';
import { type Assignment, startAssignment } from './assignment.js';
import type { Listeners } from './listeners.js';
import type { Store } from './store.js';

const MAX_METADATA_CHARACTERS = 4096;

/** One consumer of a group, and the partitions that it owns. The order of calls is in group.ts. */
export interface Member {
  status(): 'active' | 'leaving' | 'crashed';
  partitions(): readonly number[];
  assign(partition: number): void;
  /** Ends the ownership of a partition. When it resolves, another consumer can own the partition. */
  revoke(partition: number): Promise<void>;
  /** No call to `onRecords` begins after this one. */
  beginLeaving(): void;
  /** Ends the ownership of all partitions. */
  leave(): Promise<void>;
  /** @throws StaleAssignmentError, RangeError, LogUnavailableError */
  commit(partition: number, commit: Commit): Promise<void>;
}

/** @param onCrashed called once if a handler rejects or the store fails, with the previous status */
export function createMember(
  store: Store,
  listeners: Listeners,
  options: ConsumeOptions,
  onCrashed: (before: 'active' | 'leaving') => void,
): Member {
  const { topic, group } = options;
  const owned = new Map<number, Assignment>();
  const commits = new Set<Promise<void>>();
  let status: 'active' | 'leaving' | 'crashed' = 'active';

  function halt(): void {
    for (const assignment of owned.values()) assignment.halt();
  }

  /** The first failure ends the consumer: nothing is committed after it. */
  function crash(error: unknown): void {
    if (status === 'crashed') return;
    const before = status;
    status = 'crashed';
    halt();
    // Without session timeouts in one process, a crash is the only way to lose a partition.
    const reason = new StaleAssignmentError(`the consumer of ${topic} has crashed`);
    for (const assignment of owned.values()) assignment.lose(reason);
    onCrashed(before);
    // In its own microtask: an error of the callback reaches the process, and does not stop the group.
    queueMicrotask(() => options.onCrash(error instanceof Error ? error : new Error(String(error))));
  }

  async function callRevoked(partition: number): Promise<void> {
    if (status === 'crashed') return;
    try {
      await options.onRevoked?.(partition);
    } catch (error) {
      crash(error);
    }
  }

  function check(partition: number, { offset, metadata }: Commit): void {
    if (status === 'crashed' || !owned.has(partition)) {
      throw new StaleAssignmentError(`this consumer does not own partition ${partition} of ${topic}`);
    }
    if (metadata.length > MAX_METADATA_CHARACTERS) throw new RangeError('commit: metadata is too long');
    if (!Number.isInteger(offset) || offset < 0 || offset > store.extent(topic, partition).next) {
      throw new RangeError(`commit: ${offset} is not an offset of partition ${partition} of ${topic}`);
    }
  }

  return {
    status: () => status,
    partitions: () => [...owned.keys()],
    assign(partition) {
      if (status === 'active') {
        owned.set(partition, startAssignment(store, listeners, options, partition, crash));
      }
    },
    async revoke(partition) {
      const assignment = owned.get(partition);
      if (!assignment) return;
      assignment.halt();
      await assignment.ended;
      owned.delete(partition);
      await Promise.all(commits);
      await callRevoked(partition);
    },
    beginLeaving() {
      if (status === 'active') status = 'leaving';
      halt();
    },
    async leave() {
      const all = [...owned];
      await Promise.all(all.map(([, assignment]) => assignment.ended));
      await Promise.all(all.map(([partition]) => callRevoked(partition)));
      owned.clear();
      await Promise.all(commits);
    },
    async commit(partition, commit) {
      check(partition, commit);
      const written = store.commit(topic, group, partition, commit);
      const settled = written.catch(() => {});
      commits.add(settled);
      await written.finally(() => commits.delete(settled));
    },
  };
}
